/** The contract's rules for total updates, pure: which are accepted, and what applies once tokens have expired. */
import { isNewer } from '../shared/domain/ledger.ts';
import type { Instant, Tokens } from '../shared/domain/model.ts';
import type { TotalUpdate } from '../shared/ports.ts';

/** The last total update that was accepted. */
export type TotalState = Pick<TotalUpdate, 'owned' | 'borrowed' | 'total' | 'epoch' | 'sequence' | 'expiries'>;

export type TotalVerdict =
  /** `state` is the very one judged where the update repeats it. */
  | { readonly outcome: 'applied'; readonly state: TotalState }
  | { readonly outcome: 'below-in-use'; readonly inUse: Tokens }
  | { readonly outcome: 'stale'; readonly epoch: number; readonly sequence: number };

/** Before the first update: what the config says is owned. */
export function initialTotal(owned: Tokens): TotalState {
  return { owned, borrowed: 0, total: owned, epoch: 0, sequence: 0, expiries: [] };
}

/** `leaseEpoch`: of the lease that fences totals; an owner that has lost it can change nothing any more. */
export function judgeTotal(
  state: TotalState,
  update: TotalState,
  { inUse, leaseEpoch, now }: { inUse: Tokens; leaseEpoch: number; now: Instant },
): TotalVerdict {
  if (update.epoch < leaseEpoch || !isNewer(update, state)) {
    if (update.epoch >= leaseEpoch && isSame(update, state)) return { outcome: 'applied', state };
    return { outcome: 'stale', epoch: Math.max(state.epoch, leaseEpoch), sequence: state.sequence };
  }
  if (update.total < inUse && update.total < effectiveTotal(state, inUse, now)) {
    return { outcome: 'below-in-use', inUse };
  }
  const { owned, borrowed, total, epoch, sequence, expiries } = update;
  return { outcome: 'applied', state: { owned, borrowed, total, epoch, sequence, expiries } };
}

/** The total within which jobs may start: without the borrowed tokens whose expiry has come. */
export function unexpiredTotal({ owned, total, expiries }: TotalState, now: Instant): Tokens {
  let left = total;
  for (const expiry of expiries) {
    if (expiry.at <= now) left -= expiry.tokens;
  }
  return Math.max(left, owned);
}

/** The total that is applied: expired tokens stay in it as long as they are in use. */
export function effectiveTotal(state: TotalState, inUse: Tokens, now: Instant): Tokens {
  return Math.max(unexpiredTotal(state, now), Math.min(inUse, state.total));
}

/** When the next tokens expire. */
export function nextExpiry({ expiries }: TotalState, now: Instant): Instant | undefined {
  const times = expiries.map(({ at }) => at).filter((at) => at > now);
  return times.length === 0 ? undefined : Math.min(...times);
}

function isSame(a: TotalState, b: TotalState): boolean {
  return (
    a.epoch === b.epoch &&
    a.sequence === b.sequence &&
    a.owned === b.owned &&
    a.borrowed === b.borrowed &&
    a.total === b.total &&
    a.expiries.length === b.expiries.length &&
    a.expiries.every(({ at, tokens }, index) => at === b.expiries[index]?.at && tokens === b.expiries[index].tokens)
  );
}
