import type { Instant, Tokens } from '../domain/model.ts';
import type { TraceJob } from './job.ts';

/** What a licence server says of one feature: tokens handed out, taken back, or denied. */
export interface UsageEvent {
  readonly at: Instant;
  readonly kind: 'out' | 'in' | 'denied';
  readonly feature: string;
  readonly tokens: Tokens;
  /** user@host */
  readonly user: string;
  /** The vendor daemon that counts the feature. */
  readonly daemon: string;
}

/** A vendor daemon has begun to run, with nothing handed out. */
interface DaemonStart {
  readonly at: Instant;
  readonly kind: 'start';
  readonly daemon: string;
}

export type LicenceEvent = UsageEvent | DaemonStart;

/** Name of the vendor daemon of tokens that no log told about. */
export const tracedDaemon = 'traced';

/**
 * What a licence server would say if every job started when it was submitted, in order of time. At one instant jobs end
 * before others start, so that the one's tokens are the other's; a job of 0 seconds starts and then ends.
 */
export function eventsOf(jobs: Iterable<TraceJob>): UsageEvent[] {
  const moments: { at: Instant; rank: number; kind: 'out' | 'in'; job: TraceJob }[] = [];
  for (const job of jobs) {
    const end = job.submit + job.runSeconds * 1_000;
    moments.push({ at: job.submit, rank: 1, kind: 'out', job });
    moments.push({ at: end, rank: end > job.submit ? 0 : 2, kind: 'in', job });
  }
  moments.sort((one, other) => one.at - other.at || one.rank - other.rank);
  return moments.flatMap(({ at, kind, job }) =>
    Object.entries(job.needs)
      .filter(([, tokens]) => tokens > 0)
      .map(([feature, tokens]) => ({ at, kind, feature, tokens, user: job.user ?? 'unknown', daemon: tracedDaemon })),
  );
}
