import type { ControllerConfig } from '../shared/config/derive.ts';
import type { Instant, Observation, Tokens, WaitingClass } from '../shared/domain/model.ts';
import type { TotalOutcome, TotalUpdate } from '../shared/ports.ts';
import type { Cluster, NeedListener } from './cluster.ts';
import { NotElasticError } from './errors.ts';
import { ControllerRecord, type LeaseAnswer } from './record.ts';
import type { SharedResource } from './shared-resource.ts';
import type { Change, ControllerState, ObservedCount } from './state.ts';
import { effectiveTotal, judgeTotal, unexpiredTotal } from './totals.ts';

export type TotalAnswer = Extract<TotalOutcome, { outcome: 'applied' | 'below-in-use' | 'stale' }>;

/**
 * What the contract asks of a controller, around a cluster of this process's own. It has no clock and no timer: every
 * method takes the time and first does what is due by then. A time before the last one counts as the last one.
 */
export class ClusterController<C extends Cluster> {
  protected readonly cluster: C;
  readonly #record: ControllerRecord;
  readonly #keep: (change: Change) => void;
  #now: Instant = -Infinity;
  /** At the latest when tokens or a count next expire. */
  #nextExpiryAt: Instant = Infinity;

  /** `keep` makes a change durable before it is made here; where it throws, nothing has changed. */
  constructor(config: ControllerConfig, newCluster: (onNeed: NeedListener) => C, keep: (change: Change) => void) {
    this.#record = new ControllerRecord(config);
    this.cluster = newCluster((name, waiting, now) => {
      const resource = this.#record.resource(name);
      resource.waiting = waiting;
      resource.recordNeed(this.cluster.inUse(name), now);
    });
    this.#keep = keep;
  }

  get now(): Instant {
    return this.#now;
  }

  /** Grows with each start. */
  get epoch(): number {
    return this.#record.epoch;
  }

  advance(to: Instant): void {
    while (this.#nextExpiryAt <= to) this.#expire(this.#nextExpiryAt);
    this.cluster.advance(to);
    this.#now = Math.max(this.#now, to);
  }

  nextEventAt(): Instant | undefined {
    return this.#nextExpiryAt === Infinity ? undefined : this.#nextExpiryAt;
  }

  observe(peakWindowSeconds: number, now: Instant): Observation {
    this.advance(now);
    const resources = [...this.#record.resources].map(([name, resource]) => {
      const inUse = this.cluster.inUse(name);
      const total = effectiveTotal(resource.total, inUse, this.#now);
      return resource.observe({ total, inUse }, peakWindowSeconds, this.#now);
    });
    return { receivedAt: this.#now, resources, waiting: this.cluster.waiting(this.#now) };
  }

  /** One resource as it is now, without the rest that `observe` gives. Throws `UnknownResourceError`. */
  figures(name: string): { total: Tokens; inUse: Tokens } {
    const { total } = this.#record.resource(name);
    const inUse = this.cluster.inUse(name);
    return { total: effectiveTotal(total, inUse, this.#now), inUse };
  }

  waiting(): readonly WaitingClass[] {
    return this.cluster.waiting(this.#now);
  }

  /** Throws `UnknownResourceError`, `NotElasticError`. */
  setTotal(update: TotalUpdate, now: Instant): TotalAnswer {
    this.advance(now);
    const name = update.resource;
    const resource = this.#record.resource(name);
    if (!resource.config.elastic) throw new NotElasticError(name);
    const { leaseEpoch } = this.#record;
    const inUse = this.cluster.inUse(name);
    const verdict = judgeTotal(resource.total, update, { inUse, leaseEpoch, now: this.#now });
    if (verdict.outcome !== 'applied') return verdict;
    if (verdict.state !== resource.total) {
      this.make({ kind: 'total', at: this.#now, resource: name, total: verdict.state });
    }
    // A higher total has started waiting jobs.
    return { outcome: 'applied', ...this.figures(name) };
  }

  acquireLease(name: string, holder: string, ttlSeconds: number, now: Instant): LeaseAnswer {
    this.advance(now);
    const { change, answer } = this.#record.lease(name, holder, ttlSeconds, this.#now);
    if (change !== undefined) this.make(change);
    return answer;
  }

  /** An older count than the last one changes nothing. Throws `UnknownResourceError`. */
  reportObserved(name: string, count: ObservedCount, now: Instant): void {
    this.advance(now);
    const change = this.#record.observed(name, count, this.#now);
    if (change !== undefined) this.make(change);
  }

  state(): ControllerState {
    return this.#record.state(this.#now);
  }

  /** Throws `UnknownResourceError` where the state names a resource that the config no longer has. */
  protected restore(state: ControllerState): void {
    this.#now = state.at;
    this.#record.restoreEpoch(state.controllerEpoch);
    for (const change of ControllerRecord.changesTo(state)) this.apply(change);
  }

  /** Keeps the change, then makes it. */
  protected make(change: Change): void {
    this.#keep(change);
    this.apply(change);
  }

  /** Makes a change that has been kept: just now, or before a restart. */
  protected apply(change: Change): void {
    this.advance(change.at);
    this.#record.apply(change);
    switch (change.kind) {
      case 'started':
        for (const [name, resource] of this.#record.resources) {
          resource.beginPeaks(this.cluster.inUse(name), this.#now);
        }
        break;
      case 'total':
        this.cluster.setTotal(change.resource, unexpiredTotal(change.total, this.#now), this.#now);
        this.#expectExpiry(this.#record.resource(change.resource));
        break;
      case 'observed': {
        const resource = this.#record.resource(change.resource);
        resource.recordNeed(this.cluster.inUse(change.resource), this.#now);
        this.#expectExpiry(resource);
        break;
      }
      case 'lease':
        break;
    }
  }

  #expectExpiry(resource: SharedResource): void {
    this.#nextExpiryAt = Math.min(this.#nextExpiryAt, resource.nextExpiryAt(this.#now));
  }

  #expire(at: Instant): void {
    this.#nextExpiryAt = Infinity;
    for (const [name, resource] of this.#record.resources) {
      this.cluster.setTotal(name, unexpiredTotal(resource.total, at), at);
      resource.recordNeed(this.cluster.inUse(name), at);
      this.#nextExpiryAt = Math.min(this.#nextExpiryAt, resource.nextExpiryAt(at));
    }
  }
}
