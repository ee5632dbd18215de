import type { Instant } from '../../shared/domain/model.ts';
import type { Clock } from '../../shared/ports.ts';

export const start: Instant = Date.parse('2026-03-02T09:00:00Z');

/** A clock that stands until it is moved. */
export class TestClock implements Clock {
  #now = start;
  readonly #sleepers = new Set<{ readonly until: Instant; readonly wake: () => void }>();

  now(): Instant {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake, fail) => {
      this.#sleepers.add({ until: this.#now + milliseconds, wake });
      signal?.addEventListener('abort', () => fail(signal.reason));
    });
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    for (const { until, wake } of this.#sleepers) if (until <= this.#now) wake();
  }
}
