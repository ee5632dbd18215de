import { HttpClient } from '../shared/adapters/http/client.ts';
import { loadSigningKey } from '../shared/adapters/signing/keys.ts';
import { functions } from '../functions/manifest.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import { startEngine, type EngineKind } from '../shared/local/engine.ts';
import { startLocalSite } from '../shared/local/local-site.ts';
import { submitJobs } from '../shared/local/submit-jobs.ts';
import type { Clock } from '../shared/ports.ts';
import { Activity } from '../shared/simulation/activity.ts';
import { atMost, type Benchmark, type Row } from './benchmark.ts';
import { median, millis, percentile } from './figures.ts';
import { generatedSite, resourceNames } from './generated-site.ts';
import { withDirectory } from './places.ts';
import { watchRequests, type Request } from './requests.ts';

const borrows = 200;
/** So that no ledger grows to a size which few sites have. */
const resources = resourceNames(8);
/** From one borrow to the next: more than the second in which calls are coalesced. */
const pauseMilliseconds = 2_000;
const longRunSeconds = 1_000_000;

/** From the controller's call that jobs wait to its confirmation of the higher total, all parts on this machine. */
export const latency: Benchmark = {
  name: 'latency',
  async run() {
    return [...(await onEngine('dynoxide')), ...(await onEngine('dynalite'))];
  },
};

async function onEngine(kind: EngineKind): Promise<Row[]> {
  const runs = await withDirectory(async (directory) => {
    // A site stays with the engine that has used its directory before.
    const engine = await startEngine({ directory, kind });
    await engine.stop();
    return measure(directory);
  });
  const total = runs.map(({ begun, confirmed }) => confirmed - begun);
  const measureOf = (what: string): string => `demand event to confirmed total, ${kind}: ${what}`;
  const how = `${borrows} borrows over HTTP, one after the other`;
  const step = (from: keyof Borrow, to: keyof Borrow): string => millis(median(runs.map((run) => run[to] - run[from])));
  return [
    { measure: measureOf('p50'), ...atMost(median(total), 250, millis), how },
    { measure: measureOf('p99'), ...atMost(percentile(total, 99), 1_000, millis), how },
    {
      measure: measureOf('p50 by step'),
      figure: [
        `event ${step('begun', 'looked')}`,
        `look, decide and record ${step('looked', 'asked')}`,
        `provider ${step('asked', 'granted')}`,
        `record and event ${step('granted', 'pushed')}`,
        `push ${step('pushed', 'confirmed')}`,
      ].join(', '),
      how: 'between the calls on the way',
    },
  ];
}

/** When each call of one borrow began or was answered. */
interface Borrow {
  readonly begun: number;
  readonly looked: number;
  readonly asked: number;
  readonly granted: number;
  readonly pushed: number;
  readonly confirmed: number;
}

async function measure(directory: string): Promise<Borrow[]> {
  const site = await generatedSite({ resources, owned: 0 });
  const activity = new Activity();
  const clock = new SkippingClock();
  const local = await startLocalSite({ site, directory, clock, log: silent, activity, port: 0 });
  const watch = watchRequests();
  try {
    for (const { name, everySeconds } of functions) {
      if (everySeconds !== undefined) await local.functions.invoke(name, {});
    }
    await activity.idle();
    const key = await loadSigningKey(local.keys.own.worker);
    const worker = new HttpClient({ key, subject: site.policy.site, audience: site.policy.site });
    const all: Borrow[] = [];
    for (let index = 0; index < borrows; index += 1) {
      clock.skip(pauseMilliseconds);
      watch.requests.length = 0;
      const needs = { [resources[index % resources.length] ?? '']: 1 };
      await submitJobs(
        worker,
        local.controller.url,
        [{ submit: clock.now(), needs, runSeconds: longRunSeconds }],
        index + 1,
      );
      await activity.idle();
      all.push(borrowOf(watch.requests));
    }
    return all;
  } finally {
    watch.stop();
    await local.close();
  }
}

function borrowOf(requests: readonly Request[]): Borrow {
  const call = (what: RegExp): Request & { answeredAt: number } => {
    const found = requests.find((request) => what.test(request.what));
    if (found?.answeredAt === undefined) throw new Error(`measuring a borrow: no answered call ${what.source}`);
    return { ...found, answeredAt: found.answeredAt };
  };
  const grant = call(/^PUT \/v1\/grants\//);
  const push = call(/^PUT \/v1\/shared-resources\/.*\/total/);
  return {
    begun: call(/^POST \/v1\/demand/).startedAt,
    looked: call(/^PUT \/v1\/provider-leases\//).startedAt,
    asked: grant.startedAt,
    granted: grant.answeredAt,
    pushed: push.startedAt,
    confirmed: push.answeredAt,
  };
}

/** The system's clock, which can be moved on, so that a pause need not be waited for. */
class SkippingClock implements Clock {
  #skipped = 0;

  now(): number {
    return systemClock.now() + this.#skipped;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(milliseconds, signal);
  }

  skip(milliseconds: number): void {
    this.#skipped += milliseconds;
  }
}

const silent = { info: () => {}, warn: () => {}, alarm: () => {} };
