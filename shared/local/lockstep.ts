/**
 * The real site under a stepped clock: real functions, HTTP, signatures and database, moved through time by the driver
 * that moves the simulator. Its totals must be the simulator's, byte for byte.
 */
import { HttpClient } from '../adapters/http/client.ts';
import { loadSigningKey } from '../adapters/signing/keys.ts';
import { functions } from '../../functions/manifest.ts';
import type { LoadedSite } from '../config/load.ts';
import type { Instant } from '../domain/model.ts';
import type { Clock, Log } from '../ports.ts';
import { Activity } from '../simulation/activity.ts';
import { atRest, type World } from '../simulation/drive.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import type { TraceJob } from '../traces/job.ts';
import { takeDirectory } from './data-directory.ts';
import { startLocalSite, type LocalSite } from './local-site.ts';
import { localLedger } from './site-totals.ts';

export interface LockstepWorld extends World {
  readonly site: LocalSite;
  close(): Promise<void>;
}

export async function startLockstep(options: {
  site: LoadedSite;
  directory: string;
  start: Instant;
  log: Log;
}): Promise<LockstepWorld> {
  const activity = new Activity();
  const clock = new VirtualClock(options.start, activity);
  const letGo = await takeDirectory(options.directory);
  const site = await startLocalSite({ ...options, clock, controllerClock: untimed(clock), activity, port: 0 });
  const { policy } = options.site;
  const key = await loadSigningKey(site.keys.own.worker);
  const worker = new HttpClient({ key, subject: policy.site, audience: policy.site });
  const ledger = localLedger(options.site, site.environment);
  let submitted = 0;
  return {
    site,
    nextEventAt() {
      const next = Math.min(site.controller.controller.nextEventAt() ?? Infinity, clock.nextWakeAt() ?? Infinity);
      return next === Infinity ? undefined : next;
    },
    async advance(to) {
      clock.advance(to);
      site.controller.advance();
    },
    async submit(jobs) {
      const first = submitted + 1;
      submitted += jobs.length;
      await submitJobs(worker, site.controller.url, jobs, first);
    },
    async tick() {
      for (const { name, everySeconds } of functions) {
        if (everySeconds === undefined) continue;
        activity.start(() => site.functions.invoke(name, {}));
        await activity.idle();
      }
    },
    async isAtRest() {
      const { ledgers } = await ledger.read();
      return atRest(ledgers, policy, site.controller.controller);
    },
    settle: () => activity.idle(),
    async close() {
      await site.close();
      await letGo();
    },
  };
}

/** Jobs of a trace get their place in it as their id, so that a repeated submit is passed over. */
export async function submitJobs(
  worker: HttpClient,
  controllerUrl: string,
  jobs: readonly TraceJob[],
  first: number,
): Promise<void> {
  const json = jobs.map(({ submit, ...job }, index) => ({
    id: `job-${first + index}`,
    submit: new Date(submit).toISOString(),
    ...job,
  }));
  const { status, body } = await worker.request({ method: 'POST', url: `${controllerUrl}/v1/jobs`, json });
  if (status >= 300)
    throw new Error(`submitting ${jobs.length} jobs: the controller answered ${status} ${JSON.stringify(body)}`);
}

/** The driver tells the controller when time has moved on, so it sets no timers of its own. */
function untimed(clock: Clock): Clock {
  return { now: () => clock.now(), sleep: () => new Promise(() => {}) };
}
