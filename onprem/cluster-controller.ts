import { totalsLease } from '../shared/contracts/controller.ts';
import type { ControllerConfig } from '../shared/config/derive.ts';
import type { Instant, Observation, Tokens, WaitingClass } from '../shared/domain/model.ts';
import type { TotalOutcome, TotalUpdate } from '../shared/ports.ts';
import type { Cluster, NeedListener } from './cluster.ts';
import { NotElasticError, UnknownResourceError } from './errors.ts';
import { acquire, type Lease } from './leases.ts';
import { SharedResource } from './shared-resource.ts';
import type { Change, ControllerState, ObservedCount } from './state.ts';
import { effectiveTotal, judgeTotal, unexpiredTotal } from './totals.ts';

export type TotalAnswer = Extract<TotalOutcome, { outcome: 'applied' | 'below-in-use' | 'stale' }>;

export type LeaseAnswer =
  | { readonly held: true; readonly epoch: number; readonly expiresInSeconds: number }
  | { readonly held: false; readonly holder: string };

/**
 * What the contract asks of a controller, around any cluster: totals, leases, the licence server's counts and the
 * record of peaks. It has no clock and no timer: every method takes the time and first does what is due by then. A
 * time before the last one counts as the last one.
 */
export class ClusterController<C extends Cluster> {
  protected readonly cluster: C;
  readonly #resources: ReadonlyMap<string, SharedResource>;
  readonly #leases = new Map<string, Lease>();
  readonly #keep: (change: Change) => void;
  #now: Instant = -Infinity;
  #epoch = 0;
  /** At the latest when tokens or a count next expire. */
  #nextExpiryAt: Instant = Infinity;

  /** `keep` makes a change durable before it is made here; where it throws, nothing has changed. */
  constructor(config: ControllerConfig, newCluster: (onNeed: NeedListener) => C, keep: (change: Change) => void) {
    this.#resources = new Map(config.resources.map((resource) => [resource.name, new SharedResource(resource)]));
    this.cluster = newCluster((name, waiting, now) => {
      const resource = this.#resource(name);
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
    return this.#epoch;
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
    const resources = [...this.#resources].map(([name, resource]) =>
      resource.observe(this.cluster.inUse(name), peakWindowSeconds, this.#now),
    );
    return { receivedAt: this.#now, resources, waiting: this.cluster.waiting(this.#now) };
  }

  /** One resource as it is now, without the rest that `observe` gives. Throws `UnknownResourceError`. */
  figures(name: string): { total: Tokens; inUse: Tokens } {
    const { total } = this.#resource(name);
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
    const resource = this.#resource(name);
    if (!resource.config.elastic) throw new NotElasticError(name);
    const leaseEpoch = this.#leases.get(totalsLease)?.epoch ?? 0;
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
    const current = this.#leases.get(name);
    const lease = acquire(current, holder, ttlSeconds, this.#now);
    if (lease.holder !== holder) return { held: false, holder: lease.holder };
    this.make({ kind: 'lease', at: this.#now, name, lease });
    return { held: true, epoch: lease.epoch, expiresInSeconds: ttlSeconds };
  }

  /** An older count than the last one changes nothing. Throws `UnknownResourceError`. */
  reportObserved(name: string, count: ObservedCount, now: Instant): void {
    this.advance(now);
    const last = this.#resource(name).observed;
    const at = Math.min(count.at, this.#now);
    if (last !== undefined && at < last.at) return;
    this.make({ kind: 'observed', at: this.#now, resource: name, count: { ...count, at } });
  }

  state(): ControllerState {
    const resources = [...this.#resources];
    return {
      at: this.#now,
      controllerEpoch: this.#epoch,
      totals: Object.fromEntries(
        resources.filter(([, { total }]) => total.epoch + total.sequence > 0).map(([name, { total }]) => [name, total]),
      ),
      leases: Object.fromEntries(this.#leases),
      observed: Object.fromEntries(
        resources.flatMap(([name, { observed }]) => (observed === undefined ? [] : [[name, observed]])),
      ),
    };
  }

  /** Throws `UnknownResourceError` where the state names a resource that the config no longer has. */
  protected restore(state: ControllerState): void {
    this.#now = state.at;
    this.#epoch = state.controllerEpoch;
    for (const [name, total] of Object.entries(state.totals)) {
      this.apply({ kind: 'total', at: state.at, resource: name, total });
    }
    for (const [name, lease] of Object.entries(state.leases)) this.apply({ kind: 'lease', at: state.at, name, lease });
    for (const [name, count] of Object.entries(state.observed)) {
      this.apply({ kind: 'observed', at: state.at, resource: name, count });
    }
  }

  /** Keeps the change, then makes it. */
  protected make(change: Change): void {
    this.#keep(change);
    this.apply(change);
  }

  /** Makes a change that has been kept: just now, or before a restart. */
  protected apply(change: Change): void {
    this.advance(change.at);
    switch (change.kind) {
      case 'started':
        this.#epoch += 1;
        for (const [name, resource] of this.#resources) resource.beginPeaks(this.cluster.inUse(name), this.#now);
        break;
      case 'total': {
        const resource = this.#resource(change.resource);
        resource.total = change.total;
        this.cluster.setTotal(change.resource, unexpiredTotal(change.total, this.#now), this.#now);
        this.#expectExpiry(resource);
        break;
      }
      case 'lease':
        this.#leases.set(change.name, change.lease);
        break;
      case 'observed': {
        const resource = this.#resource(change.resource);
        resource.observed = change.count;
        resource.recordNeed(this.cluster.inUse(change.resource), this.#now);
        this.#expectExpiry(resource);
        break;
      }
    }
  }

  #expectExpiry(resource: SharedResource): void {
    this.#nextExpiryAt = Math.min(this.#nextExpiryAt, resource.nextExpiryAt(this.#now));
  }

  #expire(at: Instant): void {
    this.#nextExpiryAt = Infinity;
    for (const [name, resource] of this.#resources) {
      this.cluster.setTotal(name, unexpiredTotal(resource.total, at), at);
      resource.recordNeed(this.cluster.inUse(name), at);
      this.#nextExpiryAt = Math.min(this.#nextExpiryAt, resource.nextExpiryAt(at));
    }
  }

  #resource(name: string): SharedResource {
    const resource = this.#resources.get(name);
    if (resource === undefined) throw new UnknownResourceError('Asking the controller', name);
    return resource;
  }
}
