import type { Tokens } from '../../shared/domain/model.ts';
import { SchedulerError } from '../scheduler.ts';
import type { SlurmCommands } from './commands.ts';
import { licencesArguments, parseLicences, type LicenceFigures } from './licences-text.ts';
import { createReservation, reservations, type LicenceReservation } from './reservations.ts';
import { readSetup, requireParameter } from './slurm-setup.ts';
import type { SlurmLicence, SlurmTotals } from './totals.ts';

/** Slurm makes 365 days of an infinite duration, and a reservation that ends releases everything. */
const end = 'endtime=2099-12-31T00:00:00';

/** One for each licence: a change replaces the whole list of a reservation, and one that Slurm refuses empties it. */
const nameOf = (licence: string): string => `esr_hold_${licence}`;

/**
 * The count of a licence in Slurm stays at the most that there can ever be, and a reservation holds what is not to be
 * used. slurmdbd takes no part in it. What the reservations of others hold counts as part of the total, since jobs in
 * them use it; only what the gateway holds is not.
 */
export class HoldTotals implements SlurmTotals {
  /** slurmctld writes reservations at most every 5 s, counted in whole seconds (SAVE_MAX_WAIT), after jobs and nodes. */
  readonly unsavedMilliseconds = 7_000;
  readonly #run: SlurmCommands;
  readonly #ceilings: ReadonlyMap<string, Tokens>;

  constructor(run: SlurmCommands, ceilings: ReadonlyMap<string, Tokens>) {
    this.#run = run;
    this.#ceilings = ceilings;
  }

  async check(): Promise<void> {
    requireParameter(
      await readSetup(this.#run),
      'bf_continue',
      'a reservation cuts every long cycle of the backfill scheduler short',
    );
    const licences = await this.#figures();
    for (const [licence, ceiling] of this.#ceilings) {
      const counted = licences.get(licence)?.total ?? 0;
      if (counted >= ceiling) continue;
      throw new SchedulerError(
        `checking the licence ${licence}: Slurm counts ${counted} of it, and the total may become ${ceiling}; ` +
          `set it to ${ceiling} or more (Licenses in slurm.conf, or sacctmgr modify resource)`,
      );
    }
  }

  async licences(): Promise<ReadonlyMap<string, SlurmLicence>> {
    const [licences, reserved] = await Promise.all([this.#figures(), reservations(this.#run)]);
    return new Map(
      [...licences].map(([name, figures]) => [name, { figures, total: totalOf(name, figures, reserved) }]),
    );
  }

  async setTotal(licence: string, total: Tokens): Promise<void> {
    const doing = `setting the total of ${licence} to ${total}`;
    const [licences, reserved] = await Promise.all([this.#figures(), reservations(this.#run)]);
    const counted = licences.get(licence)?.total ?? 0;
    const name = nameOf(licence);
    const ofOthers = heldBy(
      reserved.filter((each) => each.name !== name),
      licence,
    );
    const tokens = counted - total;
    // More than there is would not only be refused: the reservation would hold nothing any more.
    if (tokens < 0 || tokens + ofOthers > counted) {
      throw new SchedulerError(
        `${doing}: Slurm counts ${counted} of it, and other reservations hold ${ofOthers}; ` +
          'raise the count in Slurm, or delete those reservations',
      );
    }
    if (reserved.some((each) => each.name === name)) {
      await this.#run('scontrol', 'update', `reservationname=${name}`, `licenses=${licence}:${tokens}`);
    } else {
      await createReservation(this.#run, { name, licence, tokens, end });
    }
    const shown = (await this.licences()).get(licence)?.total;
    if (shown !== total) {
      throw new SchedulerError(`${doing}: Slurm shows ${shown}; find out who else changes reservations or the count`);
    }
  }

  async #figures(): Promise<Map<string, LicenceFigures>> {
    return parseLicences(await this.#run('scontrol', ...licencesArguments));
  }
}

/**
 * Not by what our own reservation says: after an update that Slurm refused it still shows its licences and holds none.
 * Where others' do so, the total comes out too high, never too low.
 */
function totalOf(licence: string, { total, reserved }: LicenceFigures, all: readonly LicenceReservation[]): Tokens {
  const ofOthers = all.filter(({ name, active }) => active && name !== nameOf(licence));
  const held = Math.max(0, reserved - heldBy(ofOthers, licence));
  return Math.max(0, total - held);
}

function heldBy(all: readonly LicenceReservation[], licence: string): Tokens {
  return all.reduce((sum, { licences }) => sum + (licences.get(licence) ?? 0), 0);
}
