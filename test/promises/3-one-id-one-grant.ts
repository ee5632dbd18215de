import type { ResourceLedger, Tokens } from '../../shared/domain/model.ts';
import { breaker, type Check } from './check.ts';

const broken = breaker(3, 'one id, one grant');

interface Intent {
  readonly provider: string;
  readonly resource: string;
  readonly tokens: Tokens;
}

/** An id is recorded before a provider hears of it, never made twice, and leads to one grant that never grows again. */
export function oneIdOneGrant(): Check {
  const intents = new Map<string, Intent>();
  /** Tokens lent under each id when last seen; none once it has ended. */
  const lentUnder = new Map<string, Tokens>();
  return {
    answered({ call, answer, before: { at } }) {
      if (call.method !== 'write' || answer !== 'written') return;
      for (const [id, intent] of intentsIn(call.arguments[1])) {
        if (intents.has(id)) broken(at, `the id ${id} was made again`);
        intents.set(id, intent);
      }
    },
    called(call, { at, ledgers }) {
      if (call.method !== 'request') return;
      const [id, resource, tokens] = call.arguments;
      const intent = intents.get(id) ?? intentIn(ledgers.get(resource), id);
      if (intent === undefined) return broken(at, `${call.provider} is asked for ${id}, which no ledger has recorded`);
      if (intent.provider !== call.provider || intent.resource !== resource || intent.tokens !== tokens) {
        broken(
          at,
          `${call.provider} is asked for ${tokens} ${resource} under ${id}, recorded as ${JSON.stringify(intent)}`,
        );
      }
    },
    seen({ at, lent }) {
      const open = new Map<string, Tokens>();
      for (const { id, tokens, provider } of lent) {
        if (open.has(id)) broken(at, `two grants are open under ${id}`);
        const before = lentUnder.get(id) ?? Infinity;
        if (tokens > before) broken(at, `${provider} lends ${tokens} under ${id}, after ${before}`);
        open.set(id, tokens);
      }
      for (const id of lentUnder.keys()) if (!open.has(id)) lentUnder.set(id, 0);
      for (const [id, tokens] of open) lentUnder.set(id, tokens);
    },
  };
}

function intentsIn({ resource, lastEntry }: ResourceLedger): [id: string, intent: Intent][] {
  return lastEntry.changes.flatMap((change) =>
    change.kind === 'borrow' ? [[change.grant, { provider: change.provider, resource, tokens: change.tokens }]] : [],
  );
}

/** Of a ledger that was there before the watch began. */
function intentIn(ledger: ResourceLedger | undefined, id: string): Intent | undefined {
  const grant = ledger?.grants.find((grant) => grant.id === id);
  return grant && ledger && { provider: grant.provider, resource: ledger.resource, tokens: grant.tokens };
}
