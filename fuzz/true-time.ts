import type { Instant } from '../shared/domain/model.ts';
import type { Clock } from '../shared/ports.ts';

/** The time that no party of the run knows exactly. It moves when the run says so. */
export class TrueTime {
  now: Instant;

  constructor(start: Instant) {
    this.now = start;
  }
}

/** One party's clock. */
export class PartyClock implements Clock {
  /** Milliseconds by which it is ahead of true time. */
  offset = 0;
  readonly #time: TrueTime;

  constructor(time: TrueTime) {
    this.#time = time;
  }

  now(): Instant {
    return this.#time.now + this.offset;
  }

  /** Only a pool that shares its shelves with a copy of itself sleeps, and in these runs none does. */
  async sleep(): Promise<never> {
    throw new Error('sleeping in a run that has no sleepers');
  }
}
