import type { Instant } from '../../shared/domain/model.ts';
import { parseJobId, type JobId } from './job-id.ts';
import { parseLicenceRequest, type LicenceRequest } from './licence-request.ts';

/** One line of Slurm's queue. */
export interface SlurmJob {
  readonly id: JobId;
  readonly state: string;
  /** A word of Slurm's (see reasons.ts), or a sentence where Slurm gives one in its place. */
  readonly reason: string;
  readonly priority: number;
  /** From when on it may start; absent while it is held or depends on others, and in the future while it is deferred. */
  readonly eligibleAt?: Instant;
  /** Asked for by each of its jobs, or allocated. */
  readonly cpus: number;
  /** Any of which may run it. */
  readonly partitions: readonly string[];
  readonly licences: LicenceRequest;
}

export interface SlurmQueue {
  readonly jobs: readonly SlurmJob[];
  /** Lines that could not be read; their jobs are missing above. */
  readonly unreadable: readonly string[];
}

const fields = ['JobArrayID', 'State', 'Reason', 'PriorityLong', 'EligibleTime', 'NumCPUs', 'Partition', 'Licenses'];

/**
 * One read of all that waits or holds tokens, of all partitions, hidden ones too. Text costs a tenth of the JSON
 * (0.04 s and 0.17 MB against 0.45 s and 6.4 MB for 2,000 jobs; 0.4 s against 3.9 s for 10,000), and unlike the JSON's
 * form its fields are the same in all versions. No field holds a tab. No list of states: one would leave out jobs
 * that are resizing, configuring or completing.
 */
export const squeueArguments: readonly string[] = [
  '--noheader',
  '--all',
  '--local',
  `--Format=${fields.map((field) => `${field}:\t`).join(',')}`,
];

/** Times as seconds since 1970, and task lists at full length. */
export const squeueEnvironment: Readonly<Record<string, string>> = { SLURM_TIME_FORMAT: '%s', SLURM_BITSTR_LEN: '0' };

/** Reads what squeue prints with `squeueArguments` and `squeueEnvironment`. */
export function parseQueue(text: string): SlurmQueue {
  const jobs: SlurmJob[] = [];
  const unreadable: string[] = [];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const job = parseLine(line);
    if (job === undefined) unreadable.push(line);
    else jobs.push(job);
  }
  return { jobs, unreadable };
}

function parseLine(line: string): SlurmJob | undefined {
  const values = line.split('\t');
  const [jobId = '', state = '', reason = '', priority = '', eligible = '', cpus = '', partitions = ''] = values;
  const id = parseJobId(jobId);
  const licences = parseLicenceRequest(values[fields.length - 1] ?? '');
  // Each field ends with a tab, so a whole line has one more part, and that is empty.
  if (values.length !== fields.length + 1 || id === undefined || licences === undefined) return undefined;
  if (![priority, cpus].every((text) => /^\d+$/.test(text)) || !/^(\d+|N\/A)$/.test(eligible)) return undefined;
  const eligibleAt = eligible === 'N/A' ? 0 : Number(eligible) * 1000;
  return {
    id,
    state,
    reason,
    priority: Number(priority),
    ...(eligibleAt === 0 ? {} : { eligibleAt }),
    cpus: Number(cpus),
    partitions: partitions.split(','),
    licences,
  };
}
