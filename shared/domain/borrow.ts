/** The requests that a shortage leads to. */
import { wholeBlocks, type Borrowable } from './borrowable.ts';
import type { Change, Tokens } from './model.ts';
import type { Draft } from './situation.ts';
import { count } from './words.ts';

/** What waiting jobs lack of one resource. */
export interface Shortage {
  readonly tokens: Tokens;
  /** Whose jobs lack them: a sentence without its full stop. */
  readonly cause: string;
  /**
   * Site, resource, epoch and time. With the version that records the intent they make an id which is never made again:
   * of one ledger only one write of a version succeeds, two ledgers never share an epoch, and a ledger that was restored
   * from a backup makes its versions again at another time.
   */
  readonly idPrefix: string;
}

/** One request a provider, each rounded up to its block, until the shortage or the step is covered. */
export function borrow(draft: Draft, { rooms }: Borrowable, { tokens: shortage, cause, idPrefix }: Shortage): Change[] {
  const { policy, ledger } = draft;
  const changes: Change[] = [];
  let step = policy.maxStep;
  let lacking = shortage;
  for (const { provider, terms, tokens: room } of rooms) {
    const wanted = Math.min(Math.ceil(lacking / terms.block) * terms.block, wholeBlocks(step, terms.block));
    const tokens = Math.min(room, wanted);
    if (lacking <= 0 || tokens <= 0) continue;
    lacking -= tokens;
    step -= tokens;
    changes.push({
      kind: 'borrow',
      grant: `${idPrefix}-${ledger.version + 1}-${changes.length + 1}`,
      provider,
      tokens,
      terms,
      reason: `${count(tokens, 'token')} from ${provider}: ${cause}`,
    });
  }
  return changes;
}
