/**
 * Where a party breaks its own word, a promise waits until the next passes have put things right. Whoever makes a party
 * do so says it here; nothing else is exempt.
 */
import type { Instant } from '../../shared/domain/model.ts';

export class BrokenWords {
  /** Grants that a provider ended before their time. Exempt until they are out of the ledger. */
  readonly revoked = new Set<string>();
  /** Resources whose controller fell back to an older total. Exempt until it accepts one that is not older than what it had. */
  readonly fellBack = new Set<string>();
  /** Until when grants may be missing from a ledger that was put back to an older state, or is new. */
  missingUntil: Instant = -Infinity;
}
