import { maxSeconds } from '../../shared/contracts/common.ts';
import { maxWaitingClasses } from '../../shared/contracts/controller.ts';
import type { Instant, Tokens, WaitingClass } from '../../shared/domain/model.ts';
import type { WaitingJobs } from '../scheduler.ts';

/**
 * Waiting jobs as the contract's classes, in the scheduler's order: neighbours with the same needs are one class. What
 * is beyond the most classes of one answer is left out: those ahead of it must start first.
 */
export function waitingClasses(waiting: readonly WaitingJobs[], now: Instant): WaitingClass[] {
  const classes: { jobs: number; needs: Readonly<Record<string, Tokens>>; since: Instant }[] = [];
  let lastKey: string | undefined;
  for (const { jobs, needs, waitingSince } of waiting) {
    const key = JSON.stringify(Object.entries(needs).sort(([a], [b]) => (a < b ? -1 : 1)));
    const last = classes.at(-1);
    if (last !== undefined && key === lastKey) {
      last.jobs += jobs;
      last.since = Math.min(last.since, waitingSince);
      continue;
    }
    if (classes.length === maxWaitingClasses) break;
    classes.push({ jobs, needs, since: waitingSince });
    lastKey = key;
  }
  return classes.map(({ jobs, needs, since }) => ({
    jobs,
    needs,
    waitingSeconds: Math.min(Math.max(0, now - since) / 1000, maxSeconds),
  }));
}

/** Tokens that the waiting jobs want of each resource. */
export function waitingTokens(waiting: readonly WaitingJobs[]): ReadonlyMap<string, Tokens> {
  const sums = new Map<string, Tokens>();
  for (const { jobs, needs } of waiting) {
    for (const [name, tokens] of Object.entries(needs)) sums.set(name, (sums.get(name) ?? 0) + jobs * tokens);
  }
  return sums;
}

/** Whether a job waits now that did not before. */
export function waitBegan(before: readonly WaitingJobs[], now: readonly WaitingJobs[]): boolean {
  const known = jobsById(before);
  return [...jobsById(now)].some(([id, jobs]) => jobs > (known.get(id) ?? 0));
}

/** Parts of one array may differ in when they began to wait. */
function jobsById(waiting: readonly WaitingJobs[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { id, jobs } of waiting) sums.set(id, (sums.get(id) ?? 0) + jobs);
  return sums;
}
