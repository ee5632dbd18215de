import type { Tokens } from '../../shared/domain/model.ts';
import { SchedulerError, type Scheduler } from '../scheduler.ts';

/** `held`: no job can start any more that would take the use above the new total. */
export type Lowering =
  | { readonly held: true; readonly inUse: Tokens }
  /** The former total is there again. */
  | { readonly held: false; readonly inUse: Tokens };

/**
 * Lowers a total of a scheduler that takes a total below what is in use, and that may start jobs on what it had decided
 * before. So: lower, wait until it has settled, and only then read the use; where a job was faster, go back to `from`.
 * The use is read twice, as a scheduler that is being reconfigured shows none for a moment. Throws `SchedulerError`; the
 * scheduler then has either total.
 */
export async function lower(
  scheduler: Pick<Scheduler, 'setTotal' | 'settle' | 'figures'>,
  resource: string,
  { from, to }: { from: Tokens; to: Tokens },
): Promise<Lowering> {
  await scheduler.setTotal(resource, to);
  await scheduler.settle();
  const readings = [await scheduler.figures(resource), await scheduler.figures(resource)];
  const inUse = Math.max(...readings.map((reading) => reading.inUse));
  if (inUse > to) {
    await scheduler.setTotal(resource, from);
    return { held: false, inUse };
  }
  const other = readings.find(({ total }) => total !== to);
  if (other !== undefined) {
    throw new SchedulerError(
      `lowering the total of ${resource} to ${to}: the scheduler shows ${other.total} again; find out who else changes it`,
    );
  }
  return { held: true, inUse };
}
