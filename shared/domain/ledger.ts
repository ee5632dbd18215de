/**
 * The life of a ledger. `record` is the only way from one version to the next, so the history of changes is the ledger:
 * a replay folds them and must arrive at the same totals.
 */
import { applyChange } from './changes.ts';
import { countedTokens, sumTokens } from './grants.ts';
import { maxReasonLength } from './limits.ts';
import type { Change, HistoryEntry, Instant, ResourceLedger, Tokens } from './model.ts';

/** Who writes, when, and under which lease. */
export type Stamp = Pick<HistoryEntry, 'at' | 'by' | 'pass' | 'epoch'>;

/** What total updates are ordered by. */
interface UpdateOrder {
  readonly epoch: number;
  readonly sequence: number;
}

/** A ledger before its first write. */
export function emptyLedger(resource: string, at: Instant): ResourceLedger {
  const target = { owned: 0, borrowed: 0, epoch: 0, sequence: 0 };
  return {
    resource,
    version: 0,
    grants: [],
    target,
    backoffs: {},
    spending: { day: 0, month: 0, at },
    lastEntry: { resource, version: 0, at, by: 'decide', pass: '', epoch: 0, changes: [], target, confirmed: false },
  };
}

/** The controller has confirmed the total that the ledger wants. */
export function isConfirmed({ confirmed, target }: ResourceLedger): boolean {
  return confirmed !== undefined && isSame(confirmed, target);
}

/** Of two total updates `a` came after `b`: by epoch, then by sequence. */
export function isNewer(a: UpdateOrder, b: UpdateOrder): boolean {
  return a.epoch > b.epoch || (a.epoch === b.epoch && a.sequence > b.sequence);
}

/** Both are the same total update. */
export function isSame(a: UpdateOrder, b: UpdateOrder): boolean {
  return a.epoch === b.epoch && a.sequence === b.sequence;
}

/** Owned and borrowed together. */
export function totalOf(target: { readonly owned: Tokens; readonly borrowed: Tokens }): Tokens {
  return target.owned + target.borrowed;
}

/** Changes after which the controller must be told even if the numbers stay: a new epoch, or another expiry. */
const restamps: ReadonlySet<Change['kind']> = new Set([
  'opened',
  'retarget',
  'renewed',
  'granted',
  'adopted',
  'withdraw',
  'keep',
]);

/**
 * The next version of a ledger, which becomes the target's sequence where the target changed. Reasons are cut to
 * `maxReasonLength`. Throws `ChangeDoesNotFit`.
 */
export function record(previous: ResourceLedger, made: readonly Change[], stamp: Stamp): ResourceLedger {
  const changes = made.map((change) => ({ ...change, reason: change.reason.slice(0, maxReasonLength) }));
  let draft = previous;
  let after = previous.version;
  let restamped = false;
  for (const change of changes) {
    draft = applyChange(draft, change, stamp.at);
    restamped ||= restamps.has(change.kind);
    if (change.kind === 'retarget') after = Math.max(after, change.afterSequence);
  }
  const version = after + 1;
  const borrowed = sumTokens(draft.grants, countedTokens);
  const target =
    restamped || borrowed !== previous.target.borrowed
      ? { owned: draft.target.owned, borrowed, epoch: Math.max(stamp.epoch, previous.target.epoch), sequence: version }
      : draft.target;
  const last = changes.at(-1);
  const because = stamp.by === 'decide' && last !== undefined ? { at: stamp.at, reason: last.reason } : draft.because;
  const next = { ...draft, version, target, ...(because && { because }) };
  const { resource } = previous;
  const lastEntry: HistoryEntry = { resource, version, ...stamp, changes, target, confirmed: isConfirmed(next) };
  return { ...next, lastEntry };
}
