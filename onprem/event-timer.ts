import type { Instant } from '../shared/domain/model.ts';
import type { Clock } from '../shared/ports.ts';

/** Timers of the platform end at once when they are set for more than 2^31 ms. */
const longestSleepMilliseconds = 3_600_000;

/** Calls `onEvent` whenever the next event of the controller is due. */
export class EventTimer {
  readonly #clock: Clock;
  readonly #nextEventAt: () => Instant | undefined;
  readonly #onEvent: () => void;
  #sleep: { readonly until: Instant; readonly abort: AbortController } | undefined;

  constructor(options: { clock: Clock; nextEventAt: () => Instant | undefined; onEvent: () => void }) {
    this.#clock = options.clock;
    this.#nextEventAt = options.nextEventAt;
    this.#onEvent = options.onEvent;
  }

  /** To be called when the next event may have become another one. */
  update(): void {
    const next = this.#nextEventAt();
    if (next === this.#sleep?.until) return;
    this.stop();
    if (next === undefined) return;
    const sleep = { until: next, abort: new AbortController() };
    this.#sleep = sleep;
    void this.#sleepThrough(sleep.until, sleep.abort.signal);
  }

  stop(): void {
    this.#sleep?.abort.abort();
    this.#sleep = undefined;
  }

  async #sleepThrough(until: Instant, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#clock.now() < until) {
      const left = until - this.#clock.now();
      await this.#clock.sleep(Math.min(left, longestSleepMilliseconds), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
    if (signal.aborted) return;
    this.#sleep = undefined;
    this.#onEvent();
    this.update();
  }
}
