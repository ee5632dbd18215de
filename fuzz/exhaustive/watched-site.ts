/** A simulated site under the promises' watch, in which passes and pushes are made only when they are told to be. */
import type { LoadedSite } from '../../shared/config/load.ts';
import type { Instant } from '../../shared/domain/model.ts';
import { peakWindowSeconds } from '../../shared/domain/situation.ts';
import { pushTotals, type PushPorts } from '../../shared/push-totals.ts';
import { reconcile, type ReconcilePorts } from '../../shared/reconcile.ts';
import { aroundReconcile, type Around, type PortCall } from '../../shared/simulation/port-calls.ts';
import { SimulatedSite } from '../../shared/simulation/simulated-site.ts';
import { isApplied } from '../../test/promises/check.ts';
import { Watch } from '../../test/promises/watch.ts';

const start = Date.UTC(2027, 0, 15, 12);
const minute = 60_000;

/** The ports of a pass and of a push. */
export interface Ports {
  readonly pass: ReconcilePorts;
  readonly push: PushPorts;
}

export class WatchedSite {
  readonly site: LoadedSite;
  readonly watch: Watch;
  readonly simulated: SimulatedSite;
  readonly #ports: Ports;
  /** What has happened that may matter later and that no part of the site can be asked for. */
  readonly #recordedPasses = new Map<string, unknown>();
  readonly #acceptedTotals = new Set<string>();
  readonly #askedFor = new Set<string>();

  private constructor(simulated: SimulatedSite, ports: Ports, watch: Watch, site: LoadedSite) {
    this.simulated = simulated;
    this.#ports = ports;
    this.watch = watch;
    this.site = site;
  }

  static async of(site: LoadedSite): Promise<WatchedSite> {
    const watch = new Watch(site);
    let ports: Partial<Ports> = {};
    const simulated = new SimulatedSite(site, start, {
      interception: {
        reconcile: (pass) => watch.reconcile(pass, async (watched) => void (ports = { pass: watched, ...ports })),
        push: (push) => watch.push(push, async (watched) => void (ports = { push: watched, ...ports })),
      },
    });
    watch.attach(simulated);
    await simulated.tick();
    await simulated.settle();
    await ports.pass?.events.totalChanged();
    await simulated.settle();
    const { pass, push } = ports;
    if (pass === undefined || push === undefined) throw new Error('standing up a site: it made no pass and no push');
    return new WatchedSite(simulated, { pass, push }, watch, site);
  }

  get now(): Instant {
    return this.simulated.clock.now();
  }

  /** Ports to wrap: calls on them are watched. */
  get ports(): Ports {
    return this.#ports;
  }

  /** A job that is submitted now. */
  async submit(needs: Readonly<Record<string, number>>, runMinutes: number): Promise<void> {
    await this.simulated.submit([{ submit: this.now, needs, runSeconds: runMinutes * 60 }]);
    await this.simulated.settle();
  }

  /** Time passes, and in each minute a pass and a push are made. */
  async minutes(minutes: number): Promise<void> {
    for (let left = minutes; left > 0; left -= 1) {
      await this.idleMinutes(1);
      await this.pass();
      await this.push();
    }
  }

  /** Time passes, and nobody does anything. */
  async idleMinutes(minutes: number): Promise<void> {
    await this.simulated.advance(this.now + minutes * minute);
    await this.simulated.settle();
    await this.watch.look();
  }

  async pass(around: Around = (_call, effect) => effect()): Promise<void> {
    await reconcile(aroundReconcile(this.#ports.pass, around), this.site);
  }

  async push(): Promise<void> {
    await pushTotals(this.#ports.push);
  }

  /** As after a restart of all processes. */
  forgetProcesses(): void {
    this.#ports.pass.listedAt.clear();
  }

  /** Makes one call of a pass or of a push on this site. Throws what is thrown instead of an answer, and a broken promise. */
  async make(call: PortCall): Promise<unknown> {
    const { pass, push } = this.#ports;
    const port =
      'provider' in call
        ? pass.providers.get(call.provider)
        : [pass.ledger, pass.controller, pass.events, push.receiver].find((one) => call.method in one);
    const method: unknown = port && Reflect.get(port, call.method);
    if (typeof method !== 'function') throw new Error(`making a call: no port has a method ${call.method}`);
    const answer: unknown = await Reflect.apply(method, port, call.arguments);
    this.#remember(call, answer);
    return answer;
  }

  /** All of the site that any later call, pass or check can depend on. Two sites of one start state with the same key are the same. */
  async key(): Promise<string> {
    const { simulated, site } = this;
    const { store, controller, poolStores } = simulated;
    const histories: unknown[] = [];
    for (const { resource } of site.policy.resources) {
      for await (const entry of store.history(resource)) histories.push(entry);
    }
    const shelves = await Promise.all([...poolStores.values()].map((pool) => pool.readShelves()));
    const records = await Promise.all(
      [...poolStores.values()].flatMap((pool) => [...this.#askedFor].sort().map((id) => pool.readRecord(id))),
    );
    return JSON.stringify([
      await store.read(),
      histories,
      [...this.#recordedPasses.entries()].sort(([a], [b]) => (a < b ? -1 : 1)),
      controller.state(),
      controller.observe(peakWindowSeconds(site.policy), this.now),
      [...this.#acceptedTotals].sort(),
      shelves,
      records,
    ]);
  }

  #remember(call: PortCall, answer: unknown): void {
    switch (call.method) {
      case 'recordPass':
        this.#recordedPasses.set(call.arguments[0].id, call.arguments[0]);
        break;
      case 'setTotal':
        if (isApplied(answer)) this.#acceptedTotals.add(JSON.stringify(call.arguments));
        break;
      case 'request':
      case 'giveBack':
        this.#askedFor.add(call.arguments[0]);
    }
  }
}
