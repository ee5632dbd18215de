/**
 * The real site under a stepped clock: real functions, HTTP, signatures and database, moved through time by the driver
 * that moves the simulator. Its totals must be the simulator's, byte for byte.
 */
import { HttpClient } from '../adapters/http/client.ts';
import { loadSigningKey } from '../adapters/signing/keys.ts';
import { functions } from '../../functions/manifest.ts';
import type { LoadedSite } from '../config/load.ts';
import type { ElasticPolicy, Instant } from '../domain/model.ts';
import type { Clock, Log, SiteRecord } from '../ports.ts';
import { Activity } from '../simulation/activity.ts';
import { atRest, type World } from '../simulation/drive.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { takeDirectory } from '../adapters/take-directory.ts';
import { startLocalSite, type LocalSite } from './local-site.ts';
import { submitJobs } from './submit-jobs.ts';

export interface LockstepWorld extends World {
  readonly site: LocalSite;
  close(): Promise<void>;
}

/** The driver's world; whoever starts it closes it. Throws what `takeDirectory` and `startLocalSite` throw. */
export async function startLockstep(options: {
  site: LoadedSite;
  directory: string;
  start: Instant;
  log: Log;
}): Promise<LockstepWorld> {
  const activity = new CountedActivity();
  const clock = new VirtualClock(options.start, activity);
  const letGo = await takeDirectory(options.directory);
  const parts = { ...options, clock, controllerClock: untimed(clock), activity, port: 0 };
  const site = await startLocalSite(parts).catch(async (error: unknown) => {
    await letGo();
    throw error;
  });
  const { policy } = options.site;
  const key = await loadSigningKey(site.keys.own.worker);
  const worker = new HttpClient({ key, subject: policy.site, audience: policy.site });
  // Without reading the ledger it is known then that the site is not at rest.
  const hasIdleBorrowed = ({ resource, owned, headroom }: ElasticPolicy): boolean => {
    const { total, inUse } = site.controller.controller.figures(resource);
    return total > owned && total - inUse > headroom;
  };
  let known: (SiteRecord & { readonly after: number }) | undefined;
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
      const { controller } = site.controller;
      if (controller.waiting().length > 0 || policy.resources.some(hasIdleBorrowed)) return false;
      if (known?.after !== activity.begun) known = { ...(await site.ledger.read()), after: activity.begun };
      return atRest(known.ledgers, policy, controller);
    },
    settle: () => activity.idle(),
    async close() {
      try {
        await site.close();
      } finally {
        await letGo();
      }
    },
  };
}

/** Only what is under way writes to the ledger: as long as nothing more has begun, it need not be read again. */
class CountedActivity extends Activity {
  begun = 0;

  override begin(): void {
    this.begun += 1;
    super.begin();
  }
}

/** The driver tells the controller when time has moved on, so it sets no timers of its own. */
function untimed(clock: Clock): Clock {
  return { now: () => clock.now(), sleep: () => new Promise(() => {}) };
}
