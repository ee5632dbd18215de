import { maxPeakBuckets } from '../shared/contracts/controller.ts';
import type { Instant, RecentPeaks, Tokens } from '../shared/domain/model.ts';

const bucketSeconds = 60;
const bucketMilliseconds = bucketSeconds * 1000;

/**
 * The highest need of one resource in each minute of the last day. Nobody has looked before the first record, so the
 * minutes up to there are gaps, the one in which it falls included.
 */
export class PeakHistory {
  /** A ring: minute `m` (counted from 1970) is at `m % maxPeakBuckets`. */
  readonly #peaks = Array.from<Tokens | null>({ length: maxPeakBuckets }).fill(null);
  #minute = -Infinity;
  /** The need since the last record; `null`: nobody looks. */
  #standing: Tokens | null = null;

  /** The need is this from `now` on; `null`: nobody looks from `now` on. Records are made in time order. */
  record(need: Tokens | null, now: Instant): void {
    this.#fillUpTo(now);
    const index = this.#minute % maxPeakBuckets;
    this.#peaks[index] = highest(this.#peaks[index] ?? null, need);
    this.#standing = need;
  }

  /** The minute of `now` and as many before it as are needed to cover the window, at most a day. */
  recent(windowSeconds: number, now: Instant): RecentPeaks {
    this.record(this.#standing, now);
    const buckets = Math.min(Math.ceil(windowSeconds / bucketSeconds) + 1, maxPeakBuckets);
    const end = (this.#minute % maxPeakBuckets) + 1;
    const needs =
      end >= buckets
        ? this.#peaks.slice(end - buckets, end)
        : [...this.#peaks.slice(end - buckets), ...this.#peaks.slice(0, end)];
    return { bucketSeconds, needs };
  }

  /** In a minute that began before `now`, the need has been the standing one; one that begins at `now` has none yet. */
  #fillUpTo(now: Instant): void {
    const minute = Math.floor(now / bucketMilliseconds);
    for (let next = Math.max(this.#minute, minute - maxPeakBuckets) + 1; next <= minute; next += 1) {
      this.#peaks[next % maxPeakBuckets] = next * bucketMilliseconds < now ? this.#standing : 0;
    }
    this.#minute = Math.max(this.#minute, minute);
  }
}

function highest(a: Tokens | null, b: Tokens | null): Tokens | null {
  return a === null || b === null ? null : Math.max(a, b);
}
