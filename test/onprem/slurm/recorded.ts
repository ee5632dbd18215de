import { readFileSync } from 'node:fs';
import { heldByJobs } from '../../../onprem/slurm/in-use.ts';
import { parseLicences } from '../../../onprem/slurm/licences-text.ts';
import { parseIdleCpus } from '../../../onprem/slurm/partitions.ts';
import { parseQueue } from '../../../onprem/slurm/squeue.ts';
import { waitingJobs } from '../../../onprem/slurm/waiting.ts';
import type { Tokens } from '../../../shared/domain/model.ts';

/** The two licences that the tests' gateway knows; `foreign@flex1` is none of them. */
export const vcs = 'vcs_runtime@flex1';
export const hfss = 'hfss@flex1';

/** A few seconds after the last of the recordings. */
const now = Date.UTC(2026, 11, 1, 14, 23);

export function recordedText(version: string, name: string): string {
  return readFileSync(new URL(`recorded/${version}/${name}.txt`, import.meta.url), 'utf8');
}

/** What Slurm 22.05.8 showed in a situation: Slurm's own count, the jobs' sum, and what is made of its queue. */
export function situation(name: string, ceilings: Readonly<Record<string, Tokens>> = { [vcs]: 20, [hfss]: 20 }) {
  const figures = parseLicences(recordedText('22.05.8', `${name}.licences`));
  const idleCpus = parseIdleCpus(recordedText('22.05.8', `${name}.partitions`));
  const { jobs, unreadable } = parseQueue(recordedText('22.05.8', `${name}.queue`));
  const resources = new Map(Object.entries(ceilings).map(([licence, ceiling]) => [licence, { ceiling }]));
  const waiting = waitingJobs(jobs, { now, resources, figures, idleCpus });
  return { figures, jobs, unreadable, held: heldByJobs(jobs), waiting, ids: waiting.map(({ id }) => id) };
}
