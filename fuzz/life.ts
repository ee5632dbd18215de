/**
 * One run: a site that lives through the steps of a seed. Each step lets one thing happen: a call takes effect, an event
 * arrives, time moves on, jobs come, or something breaks. Afterwards all faults stop, and the site must come to rest.
 */
import type { ControllerState } from '../onprem/state.ts';
import { NewerSchemaError } from '../shared/adapters/dynamodb/errors.ts';
import type { LoadedSite } from '../shared/config/load.ts';
import type { Instant } from '../shared/domain/model.ts';
import { WorkIncomplete } from '../shared/pass/each-resource.ts';
import type { HistoryStore, Log, TotalUpdate } from '../shared/ports.ts';
import { pushTotals } from '../shared/push-totals.ts';
import { reconcile } from '../shared/reconcile.ts';
import { Draw } from './draw.ts';
import { FaultCounts } from './fault-kinds.ts';
import { Oracle } from './oracle.ts';
import { SimulatedLedgerStore } from './ledger-store.ts';
import { passPorts, pushPorts, type AskParty, type Host } from './ports.ts';
import { drained, Network, type RunState } from './network.ts';
import { Instance, NoAnswer, Process } from './process.ts';
import { drawJobs, drawSite } from './site.ts';
import type { Story } from './story.ts';
import { drawTemper, type Temper } from './temper.ts';
import { PartyClock } from './true-time.ts';
import { World } from './world.ts';

export const start: Instant = Date.UTC(2027, 0, 15, 12);
export const minute = 60_000;
/** A function is stopped after this long (`functions/manifest.ts`). */
const functionTimeoutMilliseconds = 55_000;
/** Jobs that are submitted in one run at most, so that all have run within hours. */
const mostJobs = 24;

export class Life implements Host, RunState {
  readonly site: LoadedSite;
  readonly temper: Temper;
  readonly world: World;
  readonly oracle: Oracle;
  readonly faults = new FaultCounts();
  readonly log: Log;
  /** Of the step that is under way. */
  draw: Draw;
  isCalm = false;
  /** Totals that have been on the wire. */
  readonly pushed: TotalUpdate[] = [];
  /** States that the controller's copy may still have. */
  readonly backups: ControllerState[] = [];
  readonly instances: Instance[];
  readonly network = new Network(this);
  readonly ask: AskParty = (process, ask, effect, lost) => this.network.ask(process, ask, effect, lost);
  readonly #story: Story;
  #processes: Process[] = [];
  #nextMinute: Instant = start;
  #waitsBegun = 0;
  #passes = 0;
  #started = 0;
  #jobs = 0;
  #newerSchemaUntil = -Infinity;

  constructor(seed: number, story: Story) {
    this.draw = new Draw(seed, 0);
    this.#story = story;
    this.site = drawSite(this.draw);
    this.temper = drawTemper(this.draw);
    this.world = new World(this.site, start, (previous, next) => {
      this.tell('ledger', () => `${next.resource} v${next.version}: ${inWords(next.lastEntry.changes)}`);
      this.oracle.happened({ method: 'write', arguments: [previous, next] });
    });
    this.oracle = new Oracle(
      this.site,
      () => this.world.look(),
      () => this.world.controller.leaseEpoch,
    );
    const names = ['one', 'two', 'three'].slice(0, this.temper.instances);
    this.instances = names.map((name) => new Instance(name, new PartyClock(this.world.time)));
    this.log = {
      info: () => {},
      warn: () => {},
      alarm: (name, message) => this.tell('alarm', () => `${name}: ${message}`),
    };
  }

  get now(): Instant {
    return this.world.time.now;
  }

  tell(who: string, what: () => string): void {
    this.#story.note(this.now, who, what);
  }

  newPassId(): string {
    return `pass-${(this.#passes += 1)}`;
  }

  /** Moves time on, but not past the next minute; what is due by then happens. */
  async passTime(milliseconds: number): Promise<void> {
    const { controller, controllerClock, time } = this.world;
    const nextEvent = controller.nextEventAt();
    const event = nextEvent === undefined ? Infinity : Math.max(this.now, nextEvent - controllerClock.offset);
    time.now = Math.min(this.now + milliseconds, this.#nextMinute, event);
    controller.advance(controllerClock.now());
    this.#timeOut();
    if (this.now >= this.#nextMinute) {
      this.#nextMinute += minute;
      this.trigger('reconcile', 'tick');
      this.trigger('push', 'tick');
    }
    this.#lookForWaiting();
    await drained();
    this.oracle.see();
  }

  #timeOut(): void {
    for (const process of this.#processes) {
      // One that was paused may go on beyond its time.
      if (process.pausedUntil > process.startedAt) continue;
      if (this.now - process.startedAt > functionTimeoutMilliseconds) {
        this.faults.add('pass-timed-out');
        this.crash(process, 'stopped after its time');
      }
    }
    this.network.timeOutCalls();
  }

  /** The controller tells the site that jobs wait. */
  #lookForWaiting(): void {
    const { waitsBegun } = this.world.controller;
    if (waitsBegun === this.#waitsBegun) return;
    this.#waitsBegun = waitsBegun;
    this.trigger('reconcile', 'jobs wait');
  }

  /** An event asks for a pass or a push. */
  trigger(kind: Process['kind'], why: string): void {
    const { draw, temper } = this;
    const fault = draw.happens(this.isCalm ? 0 : temper.eventFaultRate) ? draw.pick(temper.eventFaults) : undefined;
    if (fault !== undefined) this.faults.add(fault);
    if (fault !== undefined) this.tell('events', () => `${why}: ${fault}`);
    switch (fault) {
      case 'event-lost':
        return;
      case 'event-doubled':
        this.#start(kind, why);
        this.network.deliver(draw.between(0, 5_000), () => this.#start(kind, `${why}, again`));
        return;
      case 'event-late':
        this.network.deliver(draw.between(1_000, 90_000), () => this.#start(kind, `${why}, late`));
        return;
      case 'process-paused': {
        const process = this.#start(kind, why, false);
        const pause = draw.of(draw.between(1_000, 30_000), draw.between(30_000, 600_000));
        this.network.deliver(draw.between(0, 2_000), () => {
          if (process.isOver) return;
          process.pausedUntil = this.now + pause;
          this.tell(process.name, () => `paused for ${pause / 1000} s`);
        });
        return;
      }
      case undefined:
        this.#start(kind, why);
    }
  }

  pushes(update: TotalUpdate): void {
    this.pushed.push(update);
    if (this.backups.length < 50) this.backups.push(this.world.controller.state());
  }

  totalChanged(): void {
    this.network.deliver(this.isCalm ? 0 : this.draw.between(0, 1_000), () =>
      this.trigger('push', 'a total has changed'),
    );
  }

  #start(kind: Process['kind'], why: string, maySmooth = true): Process {
    const instance = this.draw.pick(this.instances);
    if (instance === undefined) throw new Error('starting a process: there is no instance');
    this.#started += 1;
    const name = `${kind === 'reconcile' ? 'pass' : 'push'} ${this.#started}/${instance.name}`;
    const isSmooth = this.isCalm || (maySmooth && this.draw.happens(this.temper.smoothRate));
    const process = new Process({ name, kind, instance, startedAt: this.now, isSmooth });
    this.#processes.push(process);
    this.tell(name, () => `begins (${why})`);
    const run =
      kind === 'reconcile' ? reconcile(passPorts(this, process), this.site) : pushTotals(pushPorts(this, process));
    run.then(
      (result) => this.#ended(process, String(result)),
      (error: unknown) => this.#ended(process, String(error), error),
    );
    return process;
  }

  #ended(process: Process, result: string, error?: unknown): void {
    if (process.isOver) return;
    process.isOver = true;
    this.#processes = this.#processes.filter((other) => other !== process);
    this.tell(process.name, () => `ends: ${result}`);
    if (error !== undefined && !isExpected(error)) this.oracle.broken ??= error;
    const { kind, calls } = process;
    this.oracle.ended({ kind, calls });
  }

  /** Nothing is heard of it any more; its copy is gone, and what that remembered. */
  crash(process: Process, why: string): void {
    if (process.isOver) return;
    process.isOver = true;
    process.instance.listedAt = new Map();
    this.#processes = this.#processes.filter((other) => other !== process);
    this.network.drop(process);
    this.tell(process.name, () => `dies: ${why}`);
  }

  submitJobs(): void {
    if (this.#jobs >= mostJobs) return;
    const { controller, controllerClock } = this.world;
    const jobs = drawJobs(this.draw, controllerClock.now()).map((job) => ({ ...job, id: `job-${(this.#jobs += 1)}` }));
    this.tell(
      'users',
      () => `submit ${jobs.map(({ needs, runSeconds }) => `${JSON.stringify(needs)} for ${runSeconds} s`).join(', ')}`,
    );
    controller.submit(jobs, controllerClock.now());
    this.#lookForWaiting();
  }

  /** All faults stop: what is under way ends, and clocks are right again. */
  async calm(): Promise<void> {
    this.isCalm = true;
    this.endNewerSchema();
    this.tell('all', () => 'faults have stopped');
    for (const process of this.#processes) process.pausedUntil = -Infinity;
    for (const { shelves, clock } of this.world.lenders) await shelves.settle(clock.now());
    for (const { clock } of [...this.instances, ...this.world.lenders]) clock.offset = 0;
    this.world.controllerClock.offset = 0;
    for (let left = 10_000; left > 0 && this.network.isBusy && this.oracle.broken === undefined; left -= 1) {
      if (!(await this.network.land())) await this.passTime(1_000);
    }
  }

  setNewerSchema(milliseconds: number): void {
    this.#newerSchemaUntil = this.now + milliseconds;
    this.world.table.restamp(true);
  }

  endNewerSchema(): void {
    if (this.#newerSchemaUntil > this.now && !this.isCalm) return;
    if (this.#newerSchemaUntil === -Infinity) return;
    this.#newerSchemaUntil = -Infinity;
    this.world.table.restamp(false);
    this.tell('deployment', () => 'the newer version runs again and can be read');
  }

  /** For whoever reads history when all is over. */
  history(): HistoryStore {
    const { world } = this;
    return new SimulatedLedgerStore({
      site: this.site.policy.site,
      send: async (command) => world.table.execute(command),
      keepPass: async () => {},
      passOf: (id) => world.passes.get(id),
      note: () => {},
    });
  }

  /** Minutes without a fault, each with its pass and its push, until as many are over or `done` says so. */
  async quietMinutes(minutes: number, done: () => boolean = () => false): Promise<void> {
    const until = this.now + minutes * minute;
    while (this.now < until && !done() && this.oracle.broken === undefined) {
      await this.passTime(minute);
      while (await this.network.land());
    }
  }
}

function isExpected(error: unknown): boolean {
  if (error instanceof WorkIncomplete) return error.errors.every(isExpected);
  return error instanceof NoAnswer || error instanceof NewerSchemaError;
}

function inWords(changes: readonly { kind: string; reason: string }[]): string {
  return changes.map(({ kind, reason }) => `${kind} (${reason})`).join(', ');
}
