import type { TraceJob } from '../../shared/traces/job.ts';

/** One job of a trace with a name of its own. It takes all its tokens together, and holds them to its end. */
export interface Job extends TraceJob {
  /** Unique among the jobs that the cluster has; free again once the job has ended. */
  readonly id: string;
}
