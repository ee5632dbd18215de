import type { Tokens } from '../../shared/domain/model.ts';
import { addTokens } from './licence-request.ts';
import type { SlurmJob } from './squeue.ts';

const statesBeforeStart = new Set([
  'PENDING',
  'REQUEUED',
  'REQUEUE_FED',
  'REQUEUE_HOLD',
  'RESV_DEL_HOLD',
  'REVOKED',
  'SPECIAL_EXIT',
]);

/**
 * Whether a job that squeue shows holds its licences: every job from its start until it has left the queue. That
 * includes suspended jobs, and completing ones until their epilog has ended (measured with 22.05.8). A state that a later
 * version may add counts as holding: tokens counted for too long stay, tokens counted too little are given away in use.
 */
export function holdsLicences({ state }: SlurmJob): boolean {
  return !statesBeforeStart.has(state);
}

/**
 * Tokens that jobs hold, by the licence's name in Slurm. Needed beside Slurm's own count, which may stay too low: a
 * recount (`scontrol reconfigure`, a restart) leaves out completing jobs, and when these end their tokens are taken off
 * once more, so that a licence can show `Used=0` while a job runs on it (measured with 22.05.8).
 *
 * Of a job that took one of several ways (`a|b`), squeue does not say which: all are counted.
 */
export function heldByJobs(jobs: readonly SlurmJob[]): Map<string, Tokens> {
  const held = new Map<string, Tokens>();
  for (const { licences } of jobs.filter(holdsLicences)) {
    for (const [name, tokens] of licences.flatMap((way) => [...way])) addTokens(held, name, tokens);
  }
  return held;
}
