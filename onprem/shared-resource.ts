import type { ControlledResource } from '../shared/config/derive.ts';
import type { Instant, ObservedResource, Tokens } from '../shared/domain/model.ts';
import { PeakHistory } from './peaks.ts';
import type { ObservedCount } from './state.ts';
import { initialTotal, nextExpiry, type TotalState } from './totals.ts';

/** How long the licence server's own count holds as need after it was made. */
const countHoldsMilliseconds = 10 * 60 * 1000;

/** What a controller knows of one resource, apart from what the cluster does. */
export class SharedResource {
  readonly config: ControlledResource;
  total: TotalState;
  observed: ObservedCount | undefined;
  /** Tokens that waiting jobs want. */
  waiting: Tokens = 0;
  #peaks = new PeakHistory();

  constructor(config: ControlledResource) {
    this.config = config;
    this.total = initialTotal(config.owned);
  }

  /** Nobody has looked until now. */
  beginPeaks(inUse: Tokens, now: Instant): void {
    this.#peaks = new PeakHistory();
    this.recordNeed(inUse, now);
  }

  /** The licence server's count is part of the need where it is the larger one and still holds. */
  recordNeed(inUse: Tokens, now: Instant): void {
    const counted = this.observed !== undefined && now < endOf(this.observed) ? this.observed.inUse : 0;
    this.#peaks.record(Math.max(inUse, counted) + this.waiting, now);
  }

  /** Nobody has looked since `from`. */
  recordGap(from: Instant): void {
    this.#peaks.record(null, from);
  }

  /** When tokens or the count next expire; `Infinity`: never. */
  nextExpiryAt(now: Instant): Instant {
    const countEndsAt = this.observed === undefined ? -Infinity : endOf(this.observed);
    return Math.min(nextExpiry(this.total, now) ?? Infinity, countEndsAt > now ? countEndsAt : Infinity);
  }

  observe(figures: { total: Tokens; inUse: Tokens }, peakWindowSeconds: number, now: Instant): ObservedResource {
    const { config, total, observed } = this;
    return {
      name: config.name,
      total: figures.total,
      epoch: total.epoch,
      sequence: total.sequence,
      inUse: figures.inUse,
      ...(observed === undefined
        ? {}
        : { observed: { inUse: observed.inUse, issued: observed.issued, ageSeconds: (now - observed.at) / 1000 } }),
      recentPeaks: this.#peaks.recent(peakWindowSeconds, now),
    };
  }
}

function endOf(count: ObservedCount): Instant {
  return count.at + countHoldsMilliseconds;
}
