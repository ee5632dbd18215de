import type { Tokens } from '../../shared/domain/model.ts';
import { UnknownResourceError } from '../errors.ts';
import type { Job } from './job.ts';
import type { ResourceTokens } from './resource-tokens.ts';

/** What a job needs, by resource, without the resources of which it needs nothing. */
export type Needs = readonly { readonly resource: ResourceTokens; readonly tokens: Tokens }[];

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
export function needsOf(job: Job, resources: ReadonlyMap<string, ResourceTokens>): Needs {
  const needs = Object.entries(job.needs).map(([name, tokens]) => {
    const resource = resources.get(name);
    if (resource === undefined) throw new UnknownResourceError(`submitting job ${job.id}`, name);
    return { resource, tokens };
  });
  return needs.filter(({ tokens }) => tokens > 0);
}

/** The same for jobs that need the same. */
export function keyOf(needs: Needs): string {
  return needs
    .map(({ resource, tokens }) => `${resource.name}=${tokens}`)
    .sort()
    .join(' ');
}

export function fits(needs: Needs): boolean {
  return needs.every(({ resource, tokens }) => resource.inUse + tokens <= resource.total);
}

/** No total that the config allows would let a job with these needs start. */
export function exceedCeiling(needs: Needs): boolean {
  return needs.some(({ resource, tokens }) => tokens > resource.ceiling);
}
