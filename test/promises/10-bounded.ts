import { breaker, type Check } from './check.ts';

const broken = breaker(10, 'bounded');

/** Bytes of a ledger item, and of a history entry: below the 400 KB that a table takes (350 KB leave room for keys). */
export const maxItemBytes = 350_000;
/** Times that one pass looks at the world and decides. */
export const maxRounds = 8;
/** Totals that one push may send for one ledger. */
export const maxTries = 3;
/** Calls in one round: a provider is described once and listed twice; a grant is given back, or asked for and renewed. */
const callsPerProvider = 3;
const callsPerGrant = 2;

/** Sizes and numbers of calls have limits. */
export function bounded(providers: number, resources: number): Check {
  return {
    answered({ call, before: { at } }) {
      if (call.method !== 'write') return;
      const [, next] = call.arguments;
      const bytes = Buffer.byteLength(JSON.stringify(next));
      if (bytes > maxItemBytes) broken(at, `the ledger of ${next.resource} has ${bytes} bytes`);
    },
    ended({ kind, calls, mostGrants }, at) {
      const count = (...methods: string[]): number => calls.filter(({ method }) => methods.includes(method)).length;
      const atMost = (what: string, found: number, limit: number): void => {
        if (found > limit) broken(at, `one ${kind} made ${found} ${what}, at most ${limit} are allowed`);
      };
      if (kind === 'push') {
        atMost('calls of the controller', count('setTotal'), maxTries * resources);
        return;
      }
      const perRound = providers * callsPerProvider + mostGrants * callsPerGrant;
      atMost('ledger reads', count('read'), maxRounds);
      atMost('calls of the controller', count('observe', 'acquireLease'), 2 * maxRounds);
      atMost('provider calls', count('describe', 'list', 'request', 'giveBack', 'renew'), maxRounds * perRound);
      atMost('ledger writes', count('write'), 2 * maxRounds * resources);
    },
  };
}
