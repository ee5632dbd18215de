import type { Instant, Tokens } from '../shared/domain/model.ts';

/** One resource as the scheduler itself shows it. */
export interface SchedulerFigures {
  /** Within which jobs start. */
  readonly total: Tokens;
  /** Held by jobs that run or are suspended: where the scheduler counts it in two ways, the larger count. */
  readonly inUse: Tokens;
}

/** Jobs alike that more tokens would start: one job, or the tasks of one array that may run at once. */
export interface WaitingJobs {
  /** The scheduler's id of the job or the array. */
  readonly id: string;
  readonly jobs: number;
  /** Tokens that each of them needs, all of them together. */
  readonly needs: Readonly<Record<string, Tokens>>;
  readonly waitingSince: Instant;
}

/** What one look at the scheduler shows. */
export interface SchedulerView {
  /** Of every resource in the gateway's config. */
  readonly resources: ReadonlyMap<string, SchedulerFigures>;
  /** In the order in which they would start. */
  readonly waiting: readonly WaitingJobs[];
}

/**
 * A scheduler that is not ours, as the gateway needs it. It decides by itself what runs, and somebody else may change
 * its totals. Every method ends within a bounded time, and rejects with `SchedulerError` when the scheduler did not do
 * what was asked or can't be asked.
 */
export interface Scheduler {
  /** How long after it was asked for a change may still take effect, whatever became of whoever asked. */
  readonly uncertainSeconds: number;
  look(): Promise<SchedulerView>;
  /** One resource alone, for deciding on a lower total; two readings that differ mean that neither can be relied upon. */
  figures(resource: string): Promise<SchedulerFigures>;
  /**
   * Resolves when the scheduler itself shows the total. A total below what is in use stops starts and ends no job. After
   * a rejection the scheduler may have the former total or this one.
   */
  setTotal(resource: string, total: Tokens): Promise<void>;
  /**
   * Resolves when no job starts any more on what the scheduler had decided before the call, and when the totals that it
   * shows would survive its crash.
   */
  settle(): Promise<void>;
}

/** The scheduler can't be asked, or did not do what was asked. */
export class SchedulerError extends Error {
  override readonly name: string = 'SchedulerError';
}
