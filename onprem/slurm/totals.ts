import type { Tokens } from '../../shared/domain/model.ts';
import type { LicenceFigures } from './licences-text.ts';

export interface SlurmLicence {
  /** As slurmctld counts it. */
  readonly figures: LicenceFigures;
  /** Within which jobs start. */
  readonly total: Tokens;
}

/** A way to set the totals of licences in Slurm. Every method rejects with `SchedulerError`. */
export interface SlurmTotals {
  /** How long slurmctld may take to write a change to where it survives its crash. */
  readonly unsavedMilliseconds: number;
  /** Rejects where Slurm is not set up for it; the message says what to change. */
  check(): Promise<void>;
  /** Every licence of slurmctld, by its name there. */
  licences(): Promise<ReadonlyMap<string, SlurmLicence>>;
  /** Resolves when slurmctld shows the total and looks for jobs to start. */
  setTotal(licence: string, total: Tokens): Promise<void>;
}

/** How often to look whether slurmctld shows a total: a push of slurmdbd takes 7 to 30 ms. */
export const shownPauseMilliseconds = 50;
