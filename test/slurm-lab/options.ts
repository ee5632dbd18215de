/** What a lab is made of. */
export interface SlurmLabOptions {
  /** Nodes, each a slurmd of its own; a job's components never share one. */
  readonly nodes: number;
  readonly cpusPerNode: number;
  /** Totals of remote licences by `NAME@SERVER`, as slurmdbd has them. */
  readonly licences: Readonly<Record<string, number>>;
  /** Whether accounting records the licences that each job took (`AccountingStorageTRES`). */
  readonly recordLicences: boolean;
  /** Slurm's `SchedulerParameters`. */
  readonly schedulerParameters: string;
  /** How long slurmctld still lists a job that has ended (`MinJobAge`). */
  readonly endedJobSeconds: number;
}

/** As docs/slurm.md has it, with a scheduler that looks every second so that nobody waits for it. */
export const defaultOptions: SlurmLabOptions = {
  nodes: 2,
  cpusPerNode: 64,
  licences: { 'vcs_runtime@flex1': 10 },
  recordLicences: true,
  schedulerParameters: 'allow_zero_lic,sched_interval=1',
  endedJobSeconds: 300,
};
