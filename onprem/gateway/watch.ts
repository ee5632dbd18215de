import type { Clock, Log } from '../../shared/ports.ts';
import { SchedulerError } from '../scheduler.ts';
import type { GatewayController } from './controller.ts';

/** Looks take at most this part of the time, so that a scheduler with a long queue is not slowed by them. */
const shareOfTime = 0.1;
/** The contract's peaks are sampled at least every 5 s, the look itself included. */
const longestPauseMilliseconds = 4_000;

/** Looks at the scheduler again and again, so that a job that begins to wait is known at once and peaks are complete. */
export class Watch {
  readonly #controller: Pick<GatewayController, 'look' | 'enforce'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #everyMilliseconds: number;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #enforcing: Promise<void> | undefined;
  #failing: string | undefined;

  constructor(options: {
    controller: Pick<GatewayController, 'look' | 'enforce'>;
    clock: Clock;
    log: Log;
    everyMilliseconds: number;
  }) {
    this.#controller = options.controller;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#everyMilliseconds = options.everyMilliseconds;
  }

  start(): void {
    this.#running = this.#run(this.#stop.signal);
  }

  /** Resolves when the look and the change under way are over. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#enforcing;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const began = performance.now();
      await this.#look();
      const tookMilliseconds = performance.now() - began;
      const pause = Math.max(this.#everyMilliseconds, tookMilliseconds * (1 / shareOfTime - 1));
      await this.#clock.sleep(Math.min(pause, longestPauseMilliseconds), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }

  /** A scheduler that can't be asked is said once, and once that it can be asked again. */
  async #look(): Promise<void> {
    try {
      await this.#controller.look();
      if (this.#failing !== undefined) this.#log.info('the scheduler answers again');
      this.#failing = undefined;
    } catch (error) {
      if (!(error instanceof SchedulerError)) throw error;
      if (error.message !== this.#failing)
        this.#log.warn('looking at the scheduler has failed', { error: error.message });
      this.#failing = error.message;
      return;
    }
    // Looks go on while a change takes its time, as each that is missing would be a gap in the peaks.
    this.#enforcing ??= this.#controller.enforce().finally(() => (this.#enforcing = undefined));
  }
}
