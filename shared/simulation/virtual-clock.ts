import type { Instant } from '../domain/model.ts';
import type { Clock } from '../ports.ts';
import type { Activity } from './activity.ts';

interface Sleeper {
  readonly until: Instant;
  readonly wake: () => void;
}

/** A clock that moves only when its driver says so. Who sleeps on it is not active until the driver wakes it. */
export class VirtualClock implements Clock {
  #now: Instant;
  readonly #activity: Activity;
  readonly #sleepers: Sleeper[] = [];

  constructor(start: Instant, activity: Activity) {
    this.#now = start;
    this.#activity = activity;
  }

  now(): Instant {
    return this.#now;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.#activity.end();
    await new Promise<void>((wake) => this.#sleepers.push({ until: this.#now + milliseconds, wake }));
  }

  /** When the first sleeper is to wake. */
  nextWakeAt(): Instant | undefined {
    let first: Instant | undefined;
    for (const { until } of this.#sleepers) if (first === undefined || until < first) first = until;
    return first;
  }

  advance(to: Instant): void {
    this.#now = to;
    for (let index = 0; index < this.#sleepers.length;) {
      const sleeper = this.#sleepers[index];
      if (sleeper === undefined || sleeper.until > to) index += 1;
      else {
        this.#sleepers.splice(index, 1);
        this.#activity.begin();
        sleeper.wake();
      }
    }
  }
}
