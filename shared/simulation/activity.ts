/**
 * Counts what is under way, so that a driver can wait until nothing is before it moves the clock. It is the same for
 * simulated parts and for real ones: a task counts from before it is sent until after it is answered.
 */
export class Activity {
  #running = 0;
  #waiters: (() => void)[] = [];
  #failure: unknown;

  begin(): void {
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  /** Runs a task that nobody awaits; what it throws is thrown by the next `idle`. */
  start(task: () => Promise<unknown>): void {
    this.begin();
    task().then(
      () => this.end(),
      (error: unknown) => {
        this.#failure ??= error;
        this.end();
      },
    );
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running > 0) await new Promise<void>((wake) => this.#waiters.push(wake));
    if (this.#failure === undefined) return;
    const failure = this.#failure;
    this.#failure = undefined;
    throw failure;
  }
}
