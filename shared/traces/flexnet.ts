/** FlexNet debug logs as traces: the log that lmgrd and the vendor daemons write, read into jobs and written from jobs. */
import { readFlexnetEvents } from './flexnet/events.ts';
import { pairJobs } from './flexnet/jobs.ts';
import type { TraceJob } from './job.ts';
import type { LicenceEvent } from './licence-event.ts';

export { writeFlexnetLog } from './flexnet/write.ts';

export interface FlexnetLog {
  readonly jobs: TraceJob[];
  /** In the order of the log; statistics are counted from these, by the log's own in and out. */
  readonly events: LicenceEvent[];
  readonly report: FlexnetReport;
}

/** How much of a log became jobs, and what did not. */
export interface FlexnetReport {
  readonly lines: number;
  /** Without time and daemon, or an event in an unknown form. */
  readonly linesNotUnderstood: number;
  readonly checkouts: number;
  readonly checkins: number;
  readonly denied: number;
  /** Checkouts that ended with a restart of their daemon or with the log, at least in part. */
  readonly outWithoutIn: number;
  /** Check-ins for more tokens than the log had seen go out. */
  readonly inWithoutOut: number;
  /** False: no line told a date, and the log's first day is taken as 1970-01-01. */
  readonly dated: boolean;
}

/** Reads a FlexNet debug log; its wall clock is read as UTC. Needs time and memory in proportion to its length. */
export async function readFlexnetLog(lines: AsyncIterable<string>): Promise<FlexnetLog> {
  const { events, endsAt, ...read } = await readFlexnetEvents(lines);
  const { jobs, ...unpaired } = pairJobs(events, endsAt);
  const count = (kind: LicenceEvent['kind']) => events.filter((event) => event.kind === kind).length;
  const counts = { checkouts: count('out'), checkins: count('in'), denied: count('denied') };
  return { jobs, events, report: { ...read, ...counts, ...unpaired } };
}
