import type { Tokens } from '../../shared/domain/model.ts';
import { UnknownResourceError } from '../errors.ts';
import type { Job } from './job.ts';
import type { Pool } from './pool.ts';

/** What a job needs, by pool, without the resources of which it needs nothing. */
export type Needs = readonly { readonly pool: Pool; readonly tokens: Tokens }[];

/** A job that has not started. */
export interface QueuedJob {
  readonly job: Job;
  readonly needs: Needs;
  /** Between jobs of the same submit time. */
  readonly order: number;
  isWaiting: boolean;
}

export function isEarlier(a: QueuedJob, b: QueuedJob): boolean {
  return a.job.submit < b.job.submit || (a.job.submit === b.job.submit && a.order < b.order);
}

/** Throws `UnknownResourceError`. */
export function needsOf(job: Job, pools: ReadonlyMap<string, Pool>): Needs {
  const needs = Object.entries(job.needs).map(([name, tokens]) => {
    const pool = pools.get(name);
    if (pool === undefined) throw new UnknownResourceError(`Submitting job ${job.id}`, name);
    return { pool, tokens };
  });
  return needs.filter(({ tokens }) => tokens > 0);
}

/** The same for jobs that need the same. */
export function keyOf(needs: Needs): string {
  return needs
    .map(({ pool, tokens }) => `${pool.name}=${tokens}`)
    .sort()
    .join(' ');
}

export function fits(needs: Needs): boolean {
  return needs.every(({ pool, tokens }) => pool.inUse + tokens <= pool.total);
}

/** No total that the config allows would let a job with these needs start. */
export function exceedCeiling(needs: Needs): boolean {
  return needs.some(({ pool, tokens }) => tokens > pool.ceiling);
}
