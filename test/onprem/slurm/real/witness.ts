import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedTotal, SlurmSite } from './site.ts';

/** What was so at some instant from `from` to `to`. */
export interface Reading<T> {
  readonly from: number;
  readonly to: number;
  readonly value: T;
}

export interface Testimony {
  /** What slurmctld counts, both figures at one instant. */
  readonly counted: readonly Reading<{ readonly total: number; readonly used: number }>[];
  /** The last total that the gateway had accepted by its disk. */
  readonly accepted: readonly Reading<AcceptedTotal>[];
  /** What the pool lent, by grant. */
  readonly lent: readonly Reading<ReadonlyMap<string, number>>[];
}

const everyMilliseconds = 100;

/** Looks at all parts of a site again and again, at each by itself: one that is down keeps nobody from seeing the others. */
export class Witness {
  readonly #stop = new AbortController();
  readonly #series = { counted: [], accepted: [], lent: [] } as {
    -readonly [Part in keyof Testimony]: Testimony[Part][number][];
  };
  readonly #watching: Promise<unknown>;

  constructor(site: SlurmSite) {
    this.#watching = Promise.all([
      this.#watch(this.#series.counted, () => site.counted()),
      this.#watch(this.#series.accepted, async () => (await site.accepted()).at(-1)),
      this.#watch(this.#series.lent, () => site.lent()),
    ]);
  }

  async end(): Promise<Testimony> {
    this.#stop.abort();
    await this.#watching;
    return this.#series;
  }

  async #watch<T>(series: Reading<T>[], look: () => Promise<T | undefined>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const from = Date.now();
      // Whoever is down says nothing.
      const value = await look().catch(() => undefined);
      if (value !== undefined) series.push({ from, to: Date.now(), value });
      await sleep(everyMilliseconds);
    }
  }
}

/**
 * Readings of another part at the time of one: those during it, the last one before and the first one after. Whatever the
 * other part's value was meanwhile, it is one of these, unless it changed twice between two of them.
 */
export function around<T>(readings: readonly Reading<T>[], { from, to }: { from: number; to: number }): readonly T[] {
  const before = readings.findLastIndex((reading) => reading.to <= from);
  const after = readings.findIndex((reading) => reading.from >= to);
  return readings.slice(Math.max(0, before), after < 0 ? undefined : after + 1).map(({ value }) => value);
}
