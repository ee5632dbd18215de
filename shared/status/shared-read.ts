import type { Instant } from '../domain/model.ts';
import type { Clock } from '../ports.ts';

/** So that any number of readers cost one read a second. */
const freshMilliseconds = 1_000;

/** A read that serves all who ask while it is under way or fresh. One that fails serves only those who wait for it. */
export class SharedRead<T> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #read: () => Promise<T>;
  #last: { readonly startedAt: Instant; readonly value: Promise<T>; underWay: boolean } | undefined;

  constructor(clock: Pick<Clock, 'now'>, read: () => Promise<T>) {
    this.#clock = clock;
    this.#read = read;
  }

  get(): Promise<T> {
    const now = this.#clock.now();
    const last = this.#last;
    if (last !== undefined && (last.underWay || now - last.startedAt < freshMilliseconds)) return last.value;
    const next = { startedAt: now, value: this.#read(), underWay: true };
    this.#last = next;
    next.value.then(
      () => void (next.underWay = false),
      () => void (this.#last = undefined),
    );
    return next.value;
  }
}
