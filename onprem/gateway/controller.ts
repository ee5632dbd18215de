import pLimit, { type LimitFunction } from 'p-limit';
import type { ControllerConfig } from '../../shared/config/derive.ts';
import type { Instant, Observation, Tokens } from '../../shared/domain/model.ts';
import type { Clock, Log, TotalUpdate } from '../../shared/ports.ts';
import type { ControllerBackend } from '../app.ts';
import type { TotalAnswer } from '../cluster-controller.ts';
import { NotElasticError } from '../errors.ts';
import { ControllerRecord, type LeaseAnswer } from '../record.ts';
import { SchedulerError, type Scheduler, type SchedulerFigures, type WaitingJobs } from '../scheduler.ts';
import type { ObservedCount, Saved } from '../state.ts';
import { judgeTotal, unexpiredTotal, type TotalState } from '../totals.ts';
import { UnsettledError } from './errors.ts';
import { lower, type Lowering } from './lower.ts';
import type { GatewayChange, GatewayState } from './state.ts';
import { waitBegan, waitingClasses, waitingTokens } from './waiting-classes.ts';

/** A look that is older is made again for whoever asks. */
const freshMilliseconds = 2_000;
/** Between looks further apart nobody knows what the need was (the contract's series of peaks marks it as a gap). */
const gapMilliseconds = 5_000;

export interface GatewayOptions {
  readonly config: ControllerConfig;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly log: Log;
  readonly saved: Saved<GatewayState, GatewayChange>;
  /** Makes a change durable; where it throws, nothing has changed. */
  readonly keep: (change: GatewayChange) => void;
  /** Called when a job begins to wait for tokens. */
  readonly onWaiting: () => void;
}

/**
 * The controller contract over a scheduler that is not ours. What was accepted is on our disk, and the scheduler's total
 * is never above it for longer than a look takes: a raise is kept before the scheduler hears of it, a lower total only
 * once the scheduler holds it.
 */
export class GatewayController implements ControllerBackend {
  readonly #scheduler: Scheduler;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #keep: (change: GatewayChange) => void;
  readonly #onWaiting: () => void;
  readonly #record: ControllerRecord;
  /** Accepted, and not yet shown by the scheduler. */
  readonly #raising = new Map<string, TotalState>();
  /** One change of a total at a time, by resource. */
  readonly #turns: ReadonlyMap<string, LimitFunction>;
  /** Until when an earlier change of the total may still take effect. */
  readonly #unsettledUntil = new Map<string, Instant>();
  readonly #figures = new Map<string, SchedulerFigures>();
  /** When each resource's figures were last changed by us, in steps of `#step`. */
  readonly #changedAtStep = new Map<string, number>();
  #step = 0;
  #waiting: readonly WaitingJobs[] = [];
  #now: Instant = -Infinity;
  #lookedAt: Instant | undefined;
  #looking: Promise<void> | undefined;

  constructor({ config, scheduler, clock, log, saved, keep, onWaiting }: GatewayOptions) {
    this.#scheduler = scheduler;
    this.#clock = clock;
    this.#log = log;
    this.#keep = keep;
    this.#onWaiting = onWaiting;
    this.#record = new ControllerRecord(config);
    this.#turns = new Map(config.resources.map(({ name }) => [name, pLimit(1)]));
    if (saved.state !== undefined) this.#restore(saved.state);
    saved.changes.forEach((change) => this.#apply(change));
    this.#advance(clock.now());
    // Whoever ran before may have asked for a change just before it ended.
    const settledAt = this.#now + scheduler.uncertainSeconds * 1000;
    if (this.epoch > 0) config.resources.forEach(({ name }) => this.#unsettledUntil.set(name, settledAt));
    this.#make({ kind: 'started', at: this.#now });
  }

  get epoch(): number {
    return this.#record.epoch;
  }

  /** When the scheduler was last looked at; `undefined`: not since this start. */
  get lookedAt(): Instant | undefined {
    return this.#lookedAt;
  }

  state(): GatewayState {
    return { ...this.#record.state(this.#now), raising: Object.fromEntries(this.#raising) };
  }

  /** Looks first where the last look is not fresh. Rejects with `SchedulerError`. */
  async observe(peakWindowSeconds: number, now: Instant): Promise<Observation> {
    this.#advance(now);
    if (this.#lookedAt === undefined || this.#now - this.#lookedAt > freshMilliseconds) await this.look();
    const resources = [...this.#record.resources].map(([name, resource]) => {
      const { total, inUse } = this.#shown(name);
      // Tokens that have expired stay in the total as long as they are in use.
      const applied = Math.max(total, Math.min(inUse, resource.total.total));
      return resource.observe({ total: applied, inUse }, peakWindowSeconds, this.#now);
    });
    return { receivedAt: this.#now, resources, waiting: waitingClasses(this.#waiting, this.#now) };
  }

  /**
   * Rejects with `UnknownResourceError`, `NotElasticError`, `UnsettledError` and `SchedulerError`; after the last the
   * scheduler may show either total, and is brought to the accepted one by `enforce`.
   */
  async setTotal(update: TotalUpdate, now: Instant): Promise<TotalAnswer> {
    this.#advance(now);
    const { config } = this.#record.resource(update.resource);
    if (!config.elastic) throw new NotElasticError(config.name);
    return this.#inTurn(config.name, () => this.#setTotal(update));
  }

  acquireLease(name: string, holder: string, ttlSeconds: number, now: Instant): LeaseAnswer {
    this.#advance(now);
    const { change, answer } = this.#record.lease(name, holder, ttlSeconds, this.#now);
    if (change !== undefined) this.#make(change);
    return answer;
  }

  reportObserved(name: string, count: ObservedCount, now: Instant): void {
    this.#advance(now);
    const change = this.#record.observed(name, count, this.#now);
    if (change === undefined) return;
    this.#make(change);
    const figures = this.#figures.get(name);
    if (figures !== undefined) this.#record.resource(name).recordNeed(figures.inUse, this.#now);
  }

  /** Looks at the scheduler and notes the need; calls at the same time share a look. Rejects with `SchedulerError`. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /**
   * Brings the scheduler to what was accepted wherever the last look showed something else: after a crash on either
   * side, when tokens expire, or when somebody else has changed the total. A failure is logged and tried again by the
   * next call.
   */
  async enforce(): Promise<void> {
    await Promise.all([...this.#record.resources.keys()].map((name) => this.#inTurn(name, () => this.#enforce(name))));
  }

  async #look(): Promise<void> {
    const step = (this.#step += 1);
    const view = await this.#scheduler.look();
    this.#advance(this.#clock.now());
    for (const [name, figures] of view.resources) {
      if ((this.#changedAtStep.get(name) ?? 0) < step) this.#figures.set(name, figures);
    }
    const began = waitBegan(this.#waiting, view.waiting);
    this.#waiting = view.waiting;
    this.#noteNeed();
    this.#lookedAt = this.#now;
    if (began) this.#onWaiting();
  }

  #noteNeed(): void {
    const waiting = waitingTokens(this.#waiting);
    const gapFrom = this.#lookedAt !== undefined && this.#now - this.#lookedAt > gapMilliseconds && this.#lookedAt;
    for (const [name, resource] of this.#record.resources) {
      const { inUse } = this.#shown(name);
      resource.waiting = waiting.get(name) ?? 0;
      if (gapFrom !== false) resource.recordGap(gapFrom);
      resource.recordNeed(inUse, this.#now);
    }
  }

  async #setTotal(update: TotalUpdate): Promise<TotalAnswer> {
    const name = update.resource;
    const figures = await this.#scheduler.figures(name);
    const now = this.#now;
    const accepted = this.#accepted(name);
    const { leaseEpoch } = this.#record;
    const verdict = judgeTotal(accepted, update, { inUse: figures.inUse, leaseEpoch, now });
    if (verdict.outcome !== 'applied') return verdict;
    const { state } = verdict;
    const wanted = unexpiredTotal(state, now);
    let { inUse } = figures;
    if (state.total < accepted.total || figures.total > wanted) {
      const lowering = await this.#lower(name, { from: unexpiredTotal(accepted, now), to: wanted });
      if (!lowering.held) return { outcome: 'below-in-use', inUse: lowering.inUse };
      ({ inUse } = lowering);
    } else {
      if (state !== accepted) this.#make({ kind: 'raising', at: now, resource: name, total: state });
      if (figures.total !== wanted) await this.#change(name, () => this.#scheduler.setTotal(name, wanted));
    }
    this.#confirm(name, state);
    this.#note(name, { total: wanted, inUse });
    return { outcome: 'applied', total: Math.max(wanted, Math.min(inUse, state.total)), inUse };
  }

  async #enforce(name: string): Promise<void> {
    const resource = this.#record.resource(name);
    const isDue = (figures: SchedulerFigures | undefined): boolean =>
      figures !== undefined && (figures.total !== this.#wanted(name) || this.#raising.has(name));
    // By the last look, so that nothing is asked where all is as it should be.
    if (!resource.config.elastic || !isDue(this.#figures.get(name))) return;
    try {
      const figures = await this.#scheduler.figures(name);
      const wanted = this.#wanted(name);
      if (figures.total !== wanted) {
        this.#log.warn(`${name}: the scheduler shows a total of ${figures.total}; setting ${wanted}`, {
          resource: name,
          shown: figures.total,
          wanted,
        });
        await this.#change(name, () => this.#scheduler.setTotal(name, wanted));
      }
      this.#confirm(name, this.#accepted(name));
      this.#note(name, { total: wanted, inUse: figures.inUse });
    } catch (error) {
      if (!(error instanceof SchedulerError)) throw error;
      this.#log.warn(`${name}: bringing the scheduler to the accepted total has failed`, { error: error.message });
    }
  }

  #lower(name: string, totals: { from: Tokens; to: Tokens }): Promise<Lowering> {
    const until = this.#unsettledUntil.get(name) ?? -Infinity;
    if (this.#now < until) throw new UnsettledError(name, Math.ceil((until - this.#now) / 1000));
    return this.#change(name, () => lower(this.#scheduler, name, totals));
  }

  /** Where the scheduler fails in the middle, what it was asked for may still come. */
  async #change<T>(name: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      this.#advance(this.#clock.now());
      this.#unsettledUntil.set(name, this.#now + this.#scheduler.uncertainSeconds * 1000);
      throw error;
    }
  }

  #confirm(name: string, total: TotalState): void {
    this.#advance(this.#clock.now());
    if (total === this.#record.resource(name).total) return;
    this.#make({ kind: 'total', at: this.#now, resource: name, total });
  }

  /** What we know of a resource after a change of ours; a look that began before it does not undo that. */
  #note(name: string, figures: SchedulerFigures): void {
    this.#figures.set(name, figures);
    this.#changedAtStep.set(name, (this.#step += 1));
  }

  #accepted(name: string): TotalState {
    return this.#raising.get(name) ?? this.#record.resource(name).total;
  }

  #wanted(name: string): Tokens {
    return unexpiredTotal(this.#accepted(name), this.#now);
  }

  #shown(name: string): SchedulerFigures {
    const figures = this.#figures.get(name);
    if (figures === undefined)
      throw new SchedulerError(`looking at the scheduler: it does not show ${name}; add it there`);
    return figures;
  }

  async #inTurn<T>(name: string, task: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(name);
    return turn === undefined ? task() : turn(task);
  }

  #restore(state: GatewayState): void {
    this.#advance(state.at);
    this.#record.restoreEpoch(state.controllerEpoch);
    ControllerRecord.changesTo(state).forEach((change) => this.#apply(change));
    for (const [name, total] of Object.entries(state.raising)) this.#raising.set(name, total);
  }

  /** Keeps the change, then makes it. */
  #make(change: GatewayChange): void {
    this.#keep(change);
    this.#apply(change);
  }

  #apply(change: GatewayChange): void {
    this.#advance(change.at);
    if (change.kind === 'raising') {
      this.#raising.set(change.resource, change.total);
      return;
    }
    this.#record.apply(change);
    if (change.kind === 'total') this.#raising.delete(change.resource);
  }

  /** Our own time never goes back, whatever the clock does. */
  #advance(to: Instant): void {
    this.#now = Math.max(this.#now, to);
  }
}
