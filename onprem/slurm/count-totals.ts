import type { Tokens } from '../../shared/domain/model.ts';
import type { Clock } from '../../shared/ports.ts';
import { SchedulerError } from '../scheduler.ts';
import type { SlurmCommands } from './commands.ts';
import { licencesArguments, parseLicences } from './licences-text.ts';
import { settingTotal } from './remote-licence.ts';
import { withEmptyReservation } from './reservations.ts';
import { readSetup, requireParameter } from './slurm-setup.ts';
import { shownPauseMilliseconds, type SlurmLicence, type SlurmTotals } from './totals.ts';

/** slurmdbd does not repeat a push that is lost, but setting the same count again makes another. */
const pushes = 2;
const shownWithinMilliseconds = 5_000;

/**
 * The total is the count of a remote licence in slurmdbd, which tells slurmctld. Slurm's own figures are then the true
 * ones, and a total survives a crash of slurmctld as soon as slurmdbd has it. Only a slurmctld that starts while slurmdbd
 * is down takes the total of its own last save, up to five minutes before the crash, until it next speaks to slurmdbd.
 */
export class CountTotals implements SlurmTotals {
  readonly unsavedMilliseconds = 0;
  readonly #run: SlurmCommands;
  readonly #licences: readonly string[];
  readonly #clock: Clock;

  constructor(run: SlurmCommands, licences: readonly string[], clock: Clock) {
    this.#run = run;
    this.#licences = licences;
    this.#clock = clock;
  }

  async check(): Promise<void> {
    const setup = await readSetup(this.#run);
    requireParameter(setup, 'allow_zero_lic', 'sbatch would reject jobs that need more than the total of the moment');
    const resources = await this.#resources();
    for (const licence of this.#licences) settingTotal(resources, licence, setup.cluster, 0);
  }

  async licences(): Promise<ReadonlyMap<string, SlurmLicence>> {
    const licences = parseLicences(await this.#run('scontrol', ...licencesArguments));
    return new Map([...licences].map(([name, figures]) => [name, { figures, total: figures.total }]));
  }

  async setTotal(licence: string, total: Tokens): Promise<void> {
    const before = await this.#shown(licence);
    const { cluster } = await readSetup(this.#run);
    const setting = settingTotal(await this.#resources(), licence, cluster, total);
    for (let push = 1; push <= pushes; push += 1) {
      await this.#run('sacctmgr', ...setting);
      if (await this.#shows(licence, total)) {
        // Otherwise nothing starts before the main scheduler's next turn, up to a minute later.
        if (before === undefined || total > before) await this.#stir(licence);
        return;
      }
      // slurmdbd does not know a slurmctld that has not spoken to it since either of them started.
      await this.#stir(licence);
    }
    throw new SchedulerError(
      `setting the total of ${licence} to ${total}: slurmdbd has it, but slurmctld shows ${await this.#shown(licence)}; ` +
        'see in their logs whether slurmdbd reaches slurmctld, and find out who else changes the count',
    );
  }

  /** slurmctld looks for jobs to start, and tells slurmdbd of the reservation. */
  #stir(licence: string): Promise<void> {
    return withEmptyReservation(this.#run, licence, async () => undefined);
  }

  async #shows(licence: string, total: Tokens): Promise<boolean> {
    const until = this.#clock.now() + shownWithinMilliseconds;
    while ((await this.#shown(licence)) !== total) {
      if (this.#clock.now() >= until) return false;
      await this.#clock.sleep(shownPauseMilliseconds);
    }
    return true;
  }

  async #shown(licence: string): Promise<Tokens | undefined> {
    return (await this.licences()).get(licence)?.total;
  }

  #resources(): Promise<string> {
    return this.#run('sacctmgr', '-P', 'show', 'resource', 'withclusters');
  }
}
