import type { Instant, Tokens } from '../domain/model.ts';

/** Sums up how many borrowed tokens a resource had and used over time. */
export class Meter {
  #since: Instant;
  #owned = 0;
  #total = 0;
  #inUse = 0;
  #borrowedTokenMilliseconds = 0;
  #usedTokenMilliseconds = 0;
  peakTotal: Tokens = 0;

  constructor(start: Instant) {
    this.#since = start;
  }

  /** The figures hold from `now` until the next call. Owned tokens count as used first. */
  read(now: Instant, figures: { owned: Tokens; total: Tokens; inUse: Tokens }): void {
    const elapsed = now - this.#since;
    this.#since = now;
    this.#borrowedTokenMilliseconds += elapsed * Math.max(0, this.#total - this.#owned);
    this.#usedTokenMilliseconds += elapsed * Math.max(0, Math.min(this.#inUse, this.#total) - this.#owned);
    this.#owned = figures.owned;
    this.#total = figures.total;
    this.#inUse = figures.inUse;
    this.peakTotal = Math.max(this.peakTotal, figures.total);
  }

  /** Token-hours by which the controller's total was above what is owned. */
  get borrowedTokenHours(): number {
    return this.#borrowedTokenMilliseconds / 3_600_000;
  }

  /** Of those, the ones in use. */
  get usedTokenHours(): number {
    return this.#usedTokenMilliseconds / 3_600_000;
  }
}
