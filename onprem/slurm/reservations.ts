import { randomUUID } from 'node:crypto';
import type { Tokens } from '../../shared/domain/model.ts';
import type { SlurmCommands } from './commands.ts';
import { parseLicenceRequest } from './licence-request.ts';

/** A reservation that holds licences. */
export interface LicenceReservation {
  readonly name: string;
  readonly licences: ReadonlyMap<string, Tokens>;
  /** Whether it holds them now; otherwise it will. */
  readonly active: boolean;
}

/** Rejects with `SchedulerError`. */
export async function reservations(run: SlurmCommands): Promise<LicenceReservation[]> {
  const text = await run('scontrol', '-o', 'show', 'reservation');
  return text.split('\n').flatMap((line) => {
    const field = (title: string): string | undefined => new RegExp(`(?:^| )${title}=(\\S*)`).exec(line)?.[1];
    const name = field('ReservationName');
    if (name === undefined) return [];
    const [licences = new Map<string, Tokens>()] = parseLicenceRequest(field('Licenses') ?? '') ?? [];
    return [{ name, licences, active: field('State') === 'ACTIVE' }];
  });
}

/**
 * Makes a reservation of licences alone. Jobs that run are no obstacle, and none may use it but those that root submits
 * for it. Slurm makes none while reservations hold more of any licence than its total. Rejects with `SchedulerError`.
 */
export async function createReservation(
  run: SlurmCommands,
  made: { name: string; licence: string; tokens: Tokens; end: `duration=${number}` | `endtime=${string}` },
): Promise<void> {
  const what = ['users=root', 'flags=LICENSE_ONLY,IGNORE_JOBS', `licenses=${made.licence}:${made.tokens}`];
  await run('scontrol', 'create', 'reservation', `reservationname=${made.name}`, 'starttime=now', made.end, ...what);
}

/**
 * A reservation that holds nothing, as long as `meanwhile` takes. That it comes and that it goes, each
 * - makes the main scheduler look for jobs to start;
 * - ends a cycle of the backfill scheduler that waits, so that it starts nothing more on what it knew (job and node
 *   locks exclude that it is doing anything else). It compares whole seconds.
 * One for each purpose and not one for ever, because a backfill cycle is cut short every few seconds as long as there is
 * any. Left behind, it goes by itself after a minute. Rejects with `SchedulerError`.
 */
export async function withEmptyReservation(
  run: SlurmCommands,
  licence: string,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const name = `esr_${randomUUID()}`;
  await createReservation(run, { name, licence, tokens: 0, end: 'duration=1' });
  await meanwhile();
  await run('scontrol', 'delete', `reservationname=${name}`);
}
