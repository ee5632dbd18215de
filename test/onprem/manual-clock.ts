import type { Instant } from '../../shared/domain/model.ts';
import type { Clock } from '../../shared/ports.ts';
import { start } from './support.ts';

/** Time passes when a test says so. */
export class ManualClock implements Clock {
  #now: Instant = start;
  readonly #sleepers = new Set<{ readonly until: Instant; readonly wake: () => void }>();

  now(): Instant {
    return this.#now;
  }

  set(now: Instant): void {
    this.#now = now;
    for (const sleeper of this.#sleepers) {
      if (sleeper.until > now) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake, reject) => {
      const sleeper = { until: this.#now + milliseconds, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(new Error('aborted'));
      });
    });
  }
}
