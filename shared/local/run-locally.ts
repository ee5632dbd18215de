/** Runs a local site in (scaled) real time: the schedule, the jobs of a trace as their time comes, and a look at it all. */
import { setTimeout as sleep } from 'node:timers/promises';
import { functions } from '../../functions/manifest.ts';
import { HttpClient } from '../adapters/http/client.ts';
import { loadSigningKey } from '../adapters/signing/keys.ts';
import type { LoadedSite } from '../config/load.ts';
import { resourceList, type ResourceList } from '../contracts/status.ts';
import type { Instant } from '../domain/model.ts';
import type { Clock, Log } from '../ports.ts';
import { Activity } from '../simulation/activity.ts';
import type { TraceJob } from '../traces/job.ts';
import { takeDirectory } from './data-directory.ts';
import { runSchedule } from './function-runtime.ts';
import { startLocalSite, type LocalSite } from './local-site.ts';
import { submitJobs } from './lockstep.ts';
import { savedClock } from './saved-clock.ts';

export interface LocalRun {
  readonly site: LoadedSite;
  /** Sorted by `submit`. */
  readonly jobs: readonly TraceJob[];
  readonly directory: string;
  readonly speed: number;
  readonly port: number;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onStarted: (started: Started) => void;
  readonly onStatus: (status: LiveStatus) => void;
}

export interface Started {
  readonly url: string;
  readonly controllerUrl: string;
  readonly engine: string;
  readonly directory: string;
  readonly speed: number;
  /** The run goes on from data of an earlier one. */
  readonly continued: boolean;
}

export interface LiveStatus extends ResourceList {
  /** By the site's own clock. */
  readonly at: Instant;
  readonly jobsLeft: number;
}

const statusEveryMilliseconds = 500;
/** The controller takes no more than 10,000 jobs at once, nor a body of more than 1 MiB. */
const jobsAtOnce = 1_000;
const retryMilliseconds = 1_000;

/** Resolves when `signal` is aborted and every part has stopped; rejects when a part ends by itself. */
export async function runLocally(run: LocalRun): Promise<void> {
  const { site, jobs, directory, speed, log } = run;
  const letGo = await takeDirectory(directory);
  const clock = await savedClock(directory, jobs[0]?.submit ?? Date.now(), speed);
  const begin = clock.now();
  const activity = new Activity();
  const stop = new AbortController();
  const { signal } = stop;
  run.signal.addEventListener('abort', () => stop.abort(), { once: true });
  try {
    const local = await startLocalSite({ site, directory, clock, log, activity, port: run.port });
    try {
      run.onStarted({ ...addresses(local), directory, speed, continued: clock.continued });
      const todo = clock.continued ? jobs.slice(jobs.findIndex(({ submit }) => submit > begin)) : jobs;
      const queue = new JobQueue(todo, jobs.length - todo.length + 1);
      const ended = local.ended.then((reason) => {
        if (!signal.aborted) throw reason instanceof Error ? reason : new Error('the database engine has ended');
      });
      await Promise.race([
        ended,
        Promise.all([
          runSchedule({ functions, clock, log, activity }, local.functions, signal),
          submitOverTime(queue, local, site.policy.site, clock, log, signal),
          watch(local.functions.url, queue, clock, run.onStatus, log, signal),
        ]),
      ]);
    } finally {
      stop.abort();
      await local.close();
    }
  } finally {
    await clock.close();
    await letGo();
  }
}

function addresses({ functions: runtime, controller, engine }: LocalSite) {
  return { url: runtime.url, controllerUrl: controller.url, engine };
}

class JobQueue {
  readonly jobs: readonly TraceJob[];
  /** Place in the trace of the first job of the queue. */
  readonly offset: number;
  next = 0;

  constructor(jobs: readonly TraceJob[], offset: number) {
    this.jobs = jobs;
    this.offset = offset;
  }
}

async function submitOverTime(
  queue: JobQueue,
  local: LocalSite,
  site: string,
  clock: Clock,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const worker = new HttpClient({ key: await loadSigningKey(local.keys.own.worker), subject: site, audience: site });
  for (let job = queue.jobs[0]; job !== undefined && !signal.aborted; job = queue.jobs[queue.next]) {
    await clock.sleep(Math.max(0, job.submit - clock.now()), signal).catch(() => undefined);
    if (signal.aborted) return;
    const now = clock.now();
    const due = queue.jobs.slice(queue.next, queue.next + jobsAtOnce).filter(({ submit }) => submit <= now);
    try {
      await submitJobs(worker, local.controller.url, due, queue.offset + queue.next);
      queue.next += due.length;
    } catch (error) {
      log.warn('submitting jobs failed; trying again', { error: String(error) });
      await sleep(retryMilliseconds);
    }
  }
}

async function watch(
  url: string,
  queue: JobQueue,
  clock: Clock,
  onStatus: LocalRun['onStatus'],
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(`${url}/v1/resources`, { signal });
      const list = resourceList.parse(await answer.json());
      onStatus({ ...list, at: clock.now(), jobsLeft: queue.jobs.length - queue.next });
    } catch (error) {
      if (!signal.aborted) log.warn('reading the status failed', { error: String(error) });
    }
    await sleep(statusEveryMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}
