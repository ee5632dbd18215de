/**
 * A whole site in memory under a virtual clock: the real pass, the real controller rules and the real pool rules, joined
 * by ports that call instead of send.
 */
import { DemandNotifier } from '../../onprem/demand-notifier.ts';
import { ReferenceController } from '../../onprem/controller.ts';
import { MemoryDemandWindow } from '../adapters/memory/demand-window.ts';
import { MemoryLedgerStore } from '../adapters/memory/ledger-store.ts';
import { InProcessController, InProcessTotalReceiver } from './in-process-controller.ts';
import { PoolProvider } from '../adapters/provider/pool-provider.ts';
import { announceDemand } from '../announce-demand.ts';
import type { LoadedSite } from '../config/load.ts';
import type { Instant } from '../domain/model.ts';
import { MemoryPoolStore } from '../pool/memory-store.ts';
import { Pool } from '../pool/pool.ts';
import type { Events, Log, Provider } from '../ports.ts';
import { pushTotals, type PushPorts } from '../push-totals.ts';
import { reconcile, type ReconcilePorts } from '../reconcile.ts';
import type { TraceJob } from '../traces/job.ts';
import { Activity } from './activity.ts';
import { atRest, type World } from './drive.ts';
import { VirtualClock } from './virtual-clock.ts';

const silent: Log = { info: () => {}, warn: () => {}, alarm: () => {} };

/** Stands around each pass and each push, and between it and the world: to watch it, or to make it fail. */
export interface Interception {
  reconcile(ports: ReconcilePorts, run: (ports: ReconcilePorts) => Promise<unknown>): Promise<unknown>;
  push(ports: PushPorts, run: (ports: PushPorts) => Promise<unknown>): Promise<unknown>;
}

const undisturbed: Interception = { reconcile: (ports, run) => run(ports), push: (ports, run) => run(ports) };

export interface SimulatedSiteOptions {
  readonly log?: Log;
  readonly interception?: Interception;
  /** In place of a new one of the site's config. */
  readonly controller?: ReferenceController;
  /** What each pass saw, for a replay. */
  readonly keepsPasses?: boolean;
}

export class SimulatedSite implements World {
  readonly activity = new Activity();
  readonly clock: VirtualClock;
  readonly controller: ReferenceController;
  readonly store: MemoryLedgerStore;
  readonly pools: ReadonlyMap<string, Pool>;
  readonly poolStores: ReadonlyMap<string, MemoryPoolStore>;
  readonly #interception: Interception;
  readonly #site: LoadedSite;
  readonly #reconcilePorts: ReconcilePorts;
  readonly #pushPorts: PushPorts;
  readonly #notifier: DemandNotifier;
  #waitsBegun = 0;
  #jobs = 0;
  #passes = 0;

  constructor(site: LoadedSite, start: Instant, options: SimulatedSiteOptions = {}) {
    const { log = silent, interception = undisturbed, keepsPasses = true } = options;
    const { activity } = this;
    const store = new MemoryLedgerStore({ keepsPasses });
    const clock = new VirtualClock(start, activity);
    const controller = options.controller ?? new ReferenceController({ config: site.controllerConfig, now: start });
    const name = site.policy.site;
    const pools = site.pools.map(({ provider, offers }) => {
      const poolStore = new MemoryPoolStore();
      return { provider, poolStore, pool: new Pool({ name: provider, offers, store: poolStore, clock }) };
    });
    const providers = pools.map(({ provider, pool }): [string, Provider] => [
      provider,
      new PoolProvider({ pool, site: name }),
    ]);
    const events: Events = {
      demandWaits: async () => activity.start(() => this.#reconcile()),
      totalChanged: async () => activity.start(() => this.#push()),
    };
    const window = new MemoryDemandWindow();
    const port = { controller, clock };
    const push = { ledger: store, receiver: new InProcessTotalReceiver(port), clock, log };
    const pass = {
      ledger: store,
      controller: new InProcessController({ ...port, holder: 'simulation', ttlSeconds: 240 }),
      providers: new Map(providers),
      clock,
      events,
      log,
      newPassId: () => `pass-${(this.#passes += 1)}`,
      listedAt: new Map<string, Instant>(),
    };
    this.#site = site;
    this.clock = clock;
    this.store = store;
    this.controller = controller;
    this.pools = new Map(pools.map(({ provider, pool }) => [provider, pool]));
    this.poolStores = new Map(pools.map(({ provider, poolStore }) => [provider, poolStore]));
    this.#interception = interception;
    this.#reconcilePorts = pass;
    this.#pushPorts = push;
    this.#notifier = new DemandNotifier({
      send: async () => void (await announceDemand({ window, events, clock })),
      log,
      start: (task) => activity.start(task),
    });
  }

  nextEventAt(): Instant | undefined {
    const next = Math.min(this.controller.nextEventAt() ?? Infinity, this.clock.nextWakeAt() ?? Infinity);
    return next === Infinity ? undefined : next;
  }

  async advance(to: Instant): Promise<void> {
    this.clock.advance(to);
    this.controller.advance(to);
    this.#notifyIfJobsWait();
  }

  async submit(jobs: readonly TraceJob[]): Promise<void> {
    const named = jobs.map((job) => ({ ...job, id: `job-${(this.#jobs += 1)}` }));
    this.controller.submit(named, this.clock.now());
    this.#notifyIfJobsWait();
  }

  async tick(): Promise<void> {
    this.activity.start(() => this.#reconcile());
  }

  async isAtRest(): Promise<boolean> {
    const { ledgers } = await this.store.read();
    return atRest(ledgers, this.#site.policy, this.controller);
  }

  settle(): Promise<void> {
    return this.activity.idle();
  }

  #notifyIfJobsWait(): void {
    const { waitsBegun } = this.controller;
    if (waitsBegun === this.#waitsBegun) return;
    this.#waitsBegun = waitsBegun;
    void this.#notifier.notify();
  }

  #reconcile(): Promise<unknown> {
    return this.#interception.reconcile(this.#reconcilePorts, (ports) => reconcile(ports, this.#site));
  }

  #push(): Promise<unknown> {
    return this.#interception.push(this.#pushPorts, pushTotals);
  }
}
