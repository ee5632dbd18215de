/** A simulated site under watch, which tests take through time minute by minute. */
import type { ReferenceController } from '../../onprem/controller.ts';
import type { LoadedSite } from '../../shared/config/load.ts';
import type { Grant, Instant, ResourceLedger } from '../../shared/domain/model.ts';
import type { Log } from '../../shared/ports.ts';
import { drive } from '../../shared/simulation/drive.ts';
import { Faults, faultless, type Dealer } from '../../shared/simulation/faults.ts';
import { SimulatedSite, type Interception } from '../../shared/simulation/simulated-site.ts';
import type { TraceJob } from '../../shared/traces/job.ts';
import type { Sight } from '../promises/sight.ts';
import { Watch } from '../promises/watch.ts';

export const start = Date.UTC(2027, 0, 15, 12);
export const minute = 60_000;

export interface LabOptions {
  readonly dealer?: Dealer;
  readonly controller?: ReferenceController;
  readonly atWorld?: readonly Interception[];
  readonly atPass?: readonly Interception[];
}

export class Lab {
  readonly site: LoadedSite;
  readonly watch: Watch;
  readonly faults: Faults;
  readonly world: SimulatedSite;
  readonly alarms: string[] = [];
  #next: Instant = start;

  /** `atWorld` and `atPass` stand beyond the watch and the faults: next to the world, and next to the passes. */
  constructor(site: LoadedSite, options: LabOptions = {}) {
    const { dealer = faultless, atWorld = [], atPass = [], controller } = options;
    this.site = site;
    this.watch = new Watch(site);
    this.faults = new Faults(dealer);
    const log: Log = { info: () => {}, warn: () => {}, alarm: (name) => void this.alarms.push(name) };
    const interception = chain([...atWorld, this.watch, this.faults, this.watch.passes, ...atPass]);
    this.world = new SimulatedSite(site, start, { log, interception, ...(controller && { controller }) });
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
function chain([first, ...others]: readonly Interception[]): Interception {
  if (first === undefined) return { reconcile: (ports, run) => run(ports), push: (ports, run) => run(ports) };
  const inner = chain(others);
  return {
    reconcile: (ports, run) => first.reconcile(ports, (changed) => inner.reconcile(changed, run)),
    push: (ports, run) => first.push(ports, (changed) => inner.push(changed, run)),
  };
}
