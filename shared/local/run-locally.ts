/** Runs a local site in (scaled) real time: the schedule, the jobs of a trace, and a look at it all. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { functions } from '../../functions/manifest.ts';
import { HttpClient } from '../adapters/http/client.ts';
import { loadSigningKey } from '../adapters/signing/keys.ts';
import { digestOf } from '../config/digest.ts';
import type { LoadedSite } from '../config/load.ts';
import { resourceList, type ResourceList } from '../contracts/status.ts';
import type { Instant } from '../domain/model.ts';
import type { Clock, Log } from '../ports.ts';
import { Activity } from '../simulation/activity.ts';
import type { TraceJob } from '../traces/job.ts';
import { takeDirectory } from '../adapters/take-directory.ts';
import { runSchedule } from './function-runtime.ts';
import {
  startLocalSite,
  startLocalSiteWith,
  type LocalController,
  type LocalSite,
  type LocalSiteOptions,
} from './local-site.ts';
import { realClock, savedClock, type SavedClock } from './saved-clock.ts';
import { RealTimeOnly, siteController } from './site-controller.ts';
import { submitJobs } from './submit-jobs.ts';
import { writeDurably } from './write-durably.ts';

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

/** The run that is to go on began with other jobs. */
export class OtherTrace extends Error {
  override readonly name = 'OtherTrace';
  readonly directory: string;

  constructor(directory: string) {
    super(
      `going on with the run in ${directory}: it began with another trace; give that one or none, or name another directory with --data`,
    );
    this.directory = directory;
  }
}

const statusEveryMilliseconds = 500;
/** The controller takes no more than 10,000 jobs at once, nor a body of more than 1 MiB. */
const jobsAtOnce = 1_000;
/** So that the site is up and has made its first pass when the first job comes. */
const leadMilliseconds = 1_000;

/** Resolves when `signal` is aborted and every part has stopped; rejects when a part ends by itself. */
export async function runLocally(run: LocalRun): Promise<void> {
  const letGo = await takeDirectory(run.directory);
  try {
    const [first] = run.jobs;
    const begin = first === undefined ? Date.now() : first.submit - leadMilliseconds;
    const clock =
      realControllerUrl(run) === undefined
        ? await savedClock({ directory: run.directory, begin, speed: run.speed, log: run.log })
        : await realClock(run.directory);
    try {
      await runSite(run, clock);
    } finally {
      await clock.close();
    }
  } finally {
    await letGo();
  }
}

async function runSite(run: LocalRun, clock: SavedClock): Promise<void> {
  const { site, directory, speed, port, log } = run;
  const activity = new Activity();
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const local = await start(run, { site, directory, clock, log, activity, port }, clock.continued);
  try {
    await clock.start();
    run.onStarted({ ...addresses(local), directory, speed, continued: clock.continued });
    await Promise.race([
      local.broken,
      Promise.all([
        runSchedule({ functions, clock, log, activity }, local.functions, signal),
        watch(local.functions.url, run, clock, signal),
      ]),
    ]);
  } finally {
    stop.abort();
    await local.close();
  }
}

/** A trace runs on a reference cluster; without one the jobs are those of the site's own, where the site file names it. */
function realControllerUrl({ site, jobs, speed }: LocalRun): string | undefined {
  const url = site.file.controller?.url;
  if (url === undefined || jobs.length > 0) return undefined;
  if (speed !== 1) throw new RealTimeOnly(url, speed);
  return url;
}

async function start(
  run: LocalRun,
  options: LocalSiteOptions,
  continued: boolean,
): Promise<LocalSite<LocalController>> {
  const { site, jobs, directory } = run;
  const url = realControllerUrl(run);
  if (url !== undefined) return startLocalSiteWith(options, siteController(url, directory));
  const local = await startLocalSite(options);
  try {
    await giveJobs(local, site.policy.site, jobs, directory, continued);
    return local;
  } catch (error) {
    await local.close();
    throw error;
  }
}

function addresses({ functions: runtime, controller, engine }: LocalSite<LocalController>) {
  return { url: runtime.url, controllerUrl: controller.url, engine };
}

/**
 * All jobs go to the controller before the time of the run begins, and each begins to count at its submit time. So a
 * start that was killed is made again, and one that goes on has them all: no job is lost and none comes twice.
 */
async function giveJobs(
  local: LocalSite,
  site: string,
  jobs: readonly TraceJob[],
  directory: string,
  continued: boolean,
): Promise<void> {
  const file = join(directory, 'trace-digest');
  const digest = digestOf(jobs);
  if (continued) {
    const given = await readFile(file, 'utf8');
    if (jobs.length > 0 && digest !== given) throw new OtherTrace(directory);
    return;
  }
  const worker = new HttpClient({ key: await loadSigningKey(local.keys.own.worker), subject: site, audience: site });
  for (let first = 0; first < jobs.length; first += jobsAtOnce) {
    await submitJobs(worker, local.controller.url, jobs.slice(first, first + jobsAtOnce), first + 1);
  }
  await writeDurably(file, digest);
}

async function watch(url: string, { jobs, onStatus, log }: LocalRun, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(`${url}/v1/resources`, { signal });
      const list = resourceList.parse(await answer.json());
      const at = clock.now();
      onStatus({ ...list, at, jobsLeft: jobs.filter(({ submit }) => submit > at).length });
    } catch (error) {
      if (!signal.aborted) log.warn('reading the status failed', { error: String(error) });
    }
    await sleep(statusEveryMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}
