import type { Instant } from '../../domain/model.ts';
import type { TraceJob } from '../job.ts';
import { eventsOf, tracedDaemon } from '../licence-event.ts';
import { togetherSeconds } from './jobs.ts';

/** lmgrd's own interval; more seldom, a reader could take a long pause for a step back. */
const timestampMilliseconds = 6 * 3_600_000;

/**
 * The jobs as a FlexNet debug log in UTC, each line with its end, as if every job had started when it was submitted.
 * `readFlexnetLog` gives back the same jobs in whole seconds. A log tells jobs apart by user@host alone: where one user
 * has several jobs at once, or a job names no user or no host, the log has made-up hosts.
 */
export function* writeFlexnetLog(jobs: Iterable<TraceJob>): Generator<string> {
  let last: Instant | undefined;
  for (const { at, kind, feature, tokens, user } of eventsOf(withOwnUsers(wholeSeconds(jobs)))) {
    if (last === undefined || at - last > timestampMilliseconds || dateOf(at) !== dateOf(last)) {
      yield logLine(at, 'lmgrd', `TIMESTAMP ${dateOf(at)}`);
    }
    const quantity = tokens === 1 ? '' : `  (${tokens} licenses)`;
    yield logLine(at, tracedDaemon, `${kind.toUpperCase()}: "${feature}" ${user}${quantity}`);
    last = at;
  }
}

function wholeSeconds(jobs: Iterable<TraceJob>): TraceJob[] {
  return Array.from(jobs, (job) => {
    const submit = Math.floor(job.submit / 1_000) * 1_000;
    return { ...job, submit, runSeconds: Math.floor(job.submit / 1_000 + job.runSeconds) - submit / 1_000 };
  });
}

/** Gives each job a user@host that no other job has while it runs or so near its start that both would read as one. */
function withOwnUsers(jobs: TraceJob[]): TraceJob[] {
  const freeAfter = new Map<string, Instant>();
  jobs.sort((one, other) => one.submit - other.submit);
  return jobs.map((job) => {
    const wanted = userAtHost(job.user);
    let user = wanted;
    for (let copy = 2; (freeAfter.get(user) ?? -Infinity) >= job.submit; copy += 1) user = `${wanted}.${copy}`;
    const end = job.submit + job.runSeconds * 1_000;
    freeAfter.set(user, Math.max(end - 1, job.submit + togetherSeconds * 1_000));
    return { ...job, user };
  });
}

function userAtHost(user = 'unknown'): string {
  const oneWord = user.replace(/\s/g, '_');
  return /.@./.test(oneWord) ? oneWord : `${oneWord}@host`;
}

function logLine(at: Instant, daemon: string, message: string): string {
  const time = new Date(at);
  const pair = (value: number) => String(value).padStart(2, '0');
  const hour = String(time.getUTCHours()).padStart(2, ' ');
  return `${hour}:${pair(time.getUTCMinutes())}:${pair(time.getUTCSeconds())} (${daemon}) ${message}\n`;
}

function dateOf(at: Instant): string {
  const time = new Date(at);
  return `${time.getUTCMonth() + 1}/${time.getUTCDate()}/${time.getUTCFullYear()}`;
}
