import type { Clock } from '../../shared/ports.ts';
import type { SlurmCommands } from './commands.ts';
import { withEmptyReservation } from './reservations.ts';

/** The backfill scheduler tells changes of reservations apart by whole seconds. */
const apartMilliseconds = 1_100;

/**
 * After it, no job starts on what Slurm had decided before. The backfill scheduler tests a job's licences, may then let
 * others work (`bf_yield_sleep`), and starts the job without testing again; with `bf_licenses` it even plans a whole
 * cycle on the totals at its beginning. It gives up a cycle when a reservation has changed meanwhile, unless another one
 * had changed within the same second. So reservations are changed twice, in different seconds.
 */
export class Barrier {
  readonly #run: SlurmCommands;
  readonly #licence: string;
  readonly #clock: Clock;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Any licence that Slurm has will do. */
  constructor(run: SlurmCommands, licence: string, clock: Clock) {
    this.#run = run;
    this.#licence = licence;
    this.#clock = clock;
  }

  /** Callers share one that has not begun: that under way may be half over for what they did. Rejects with `SchedulerError`. */
  pass(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const passing = withEmptyReservation(this.#run, this.#licence, () => this.#clock.sleep(apartMilliseconds));
      this.#running = passing.catch(() => undefined);
      return passing;
    });
    return this.#next;
  }
}
