import { SchedulerError } from '../scheduler.ts';

/** Of sinfo: each partition, hidden ones too, and its CPUs as allocated/idle/other/total. */
export const partitionsArguments: readonly string[] = ['--noheader', '--all', '--format=%R %C'];

/**
 * Reads what sinfo prints with `partitionsArguments`: the idle CPUs of every partition.
 *
 * @throws SchedulerError when a line is none that Slurm is known to print.
 */
export function parseIdleCpus(text: string): Map<string, number> {
  const idleCpus = new Map<string, number>();
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, partition, idle] = /^(\S+) +\d+\/(\d+)\/\d+\/\d+\s*$/.exec(line) ?? [];
    if (partition === undefined)
      throw new SchedulerError(
        `reading Slurm's partitions: sinfo printed "${line}", which is not of a known form; check that sinfo and slurmctld are of one version`,
      );
    idleCpus.set(partition, (idleCpus.get(partition) ?? 0) + Number(idle));
  }
  return idleCpus;
}
