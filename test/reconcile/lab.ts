/** A simulated site under watch, which tests take through time minute by minute. */
import type { LoadedSite } from '../../shared/config/load.ts';
import type { Grant, Instant, ResourceLedger } from '../../shared/domain/model.ts';
import type { Log } from '../../shared/ports.ts';
import { drive } from '../../shared/simulation/drive.ts';
import { Faults, faultless, type Dealer } from '../../shared/simulation/faults.ts';
import { SimulatedSite, type Interception, type SimulatedSiteOptions } from '../../shared/simulation/simulated-site.ts';
import type { TraceJob } from '../../shared/traces/job.ts';
import type { Sight } from '../promises/sight.ts';
import { Watch } from '../promises/watch.ts';

export const start = Date.UTC(2027, 0, 15, 12);
export const minute = 60_000;

export class Lab {
  readonly site: LoadedSite;
  readonly watch: Watch;
  readonly faults: Faults;
  readonly world: SimulatedSite;
  readonly alarms: string[] = [];
  #next: Instant = start;

  /** `between`: further ones who stand between the passes and the faults, the nearest to the world first. */
  constructor(
    site: LoadedSite,
    options: Omit<SimulatedSiteOptions, 'interception' | 'log'> & {
      readonly dealer?: Dealer;
      readonly between?: readonly Interception[];
    } = {},
  ) {
    const { dealer = faultless, between = [], ...rest } = options;
    this.site = site;
    this.watch = new Watch(site);
    this.faults = new Faults(dealer);
    const log: Log = { info: () => {}, warn: () => {}, alarm: (name) => void this.alarms.push(name) };
    const interception = chain(this.watch, ...between, this.faults, this.watch.passes);
    this.world = new SimulatedSite(site, start, { ...rest, log, interception });
    this.watch.attach(this.world);
  }

  get now(): Instant {
    return this.world.clock.now();
  }

  /** A tick at the beginning of each of the minutes; jobs arrive by their submit times. */
  async minutes(minutes: number, jobs: readonly TraceJob[] = []): Promise<void> {
    const from = this.#next;
    this.#next += minutes * minute;
    const { world } = this;
    const afterStep = (): void => world.activity.start(() => this.watch.look());
    await drive(world, { jobs, from, to: this.#next - 1, tickSeconds: 60, everyTick: true, afterStep });
    await world.settle();
  }

  /** A job that is submitted now, in tokens of `hfsshpc`. */
  async submit(tokens: number, runMinutes: number): Promise<void> {
    await this.world.submit([{ submit: this.now, needs: { hfsshpc: tokens }, runSeconds: runMinutes * 60 }]);
    await this.world.settle();
  }

  look(): Promise<Sight> {
    return this.watch.look();
  }

  async ledger(resource = 'hfsshpc'): Promise<ResourceLedger> {
    const ledger = (await this.look()).ledgers.get(resource);
    if (ledger === undefined) throw new Error(`there is no ledger of ${resource} yet`);
    return ledger;
  }

  async grants(): Promise<readonly Grant[]> {
    return (await this.ledger()).grants;
  }

  total(resource = 'hfsshpc'): number {
    return this.world.controller.figures(resource).total;
  }

  async replayed(): Promise<void> {
    const { policy, policyDigest } = this.site;
    await this.watch.accepted.areReplayed(this.world.store, policy, policyDigest, this.now);
  }
}

/** The first stands next to the world, the last next to the passes. */
export function chain(first: Interception, ...others: readonly Interception[]): Interception {
  const [next, ...rest] = others;
  if (next === undefined) return first;
  const inner = chain(next, ...rest);
  return {
    reconcile: (ports, run) => first.reconcile(ports, (watched) => inner.reconcile(watched, run)),
    push: (ports, run) => first.push(ports, (watched) => inner.push(watched, run)),
  };
}
