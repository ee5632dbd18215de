import type { ControllerConfig } from '../shared/config/derive.ts';
import { totalsLease } from '../shared/contracts/controller.ts';
import type { Instant } from '../shared/domain/model.ts';
import { TooManyLeasesError, UnknownResourceError } from './errors.ts';
import { acquire, type Lease } from './leases.ts';
import { SharedResource } from './shared-resource.ts';
import type { Change, ControllerState, ObservedCount } from './state.ts';

export type LeaseAnswer =
  | { readonly held: true; readonly epoch: number; readonly expiresInSeconds: number }
  | { readonly held: false; readonly holder: string };

/** More would be somebody's mistake: the system itself asks for one. */
const maxLeases = 1_000;

/**
 * What the contract has a controller remember: totals, leases, the licence server's counts and its own starts, whatever
 * the cluster behind it. It changes by `apply` alone, so that each change can be kept before it is made.
 */
export class ControllerRecord {
  readonly resources: ReadonlyMap<string, SharedResource>;
  readonly #leases = new Map<string, Lease>();
  #epoch = 0;

  constructor(config: ControllerConfig) {
    this.resources = new Map(config.resources.map((resource) => [resource.name, new SharedResource(resource)]));
  }

  /** Grows with each start. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Of the lease that fences totals. */
  get leaseEpoch(): number {
    return this.#leases.get(totalsLease)?.epoch ?? 0;
  }

  /** Throws `UnknownResourceError`. */
  resource(name: string): SharedResource {
    const resource = this.resources.get(name);
    if (resource === undefined) throw new UnknownResourceError('asking the controller', name);
    return resource;
  }

  /**
   * The lease as it would be, and what the one who asked for it is told once that is kept. Throws `TooManyLeasesError`.
   */
  lease(name: string, holder: string, ttlSeconds: number, now: Instant): { change?: Change; answer: LeaseAnswer } {
    if (!this.#leases.has(name) && this.#leases.size >= maxLeases) throw new TooManyLeasesError(name, maxLeases);
    const lease = acquire(this.#leases.get(name), holder, ttlSeconds, now);
    if (lease.holder !== holder) return { answer: { held: false, holder: lease.holder } };
    return {
      change: { kind: 'lease', at: now, name, lease },
      answer: { held: true, epoch: lease.epoch, expiresInSeconds: ttlSeconds },
    };
  }

  /** `undefined`: a newer count is known. Throws `UnknownResourceError`. */
  observed(name: string, count: ObservedCount, now: Instant): Change | undefined {
    const last = this.resource(name).observed;
    const at = Math.min(count.at, now);
    if (last !== undefined && at < last.at) return undefined;
    return { kind: 'observed', at: now, resource: name, count: { ...count, at } };
  }

  apply(change: Change): void {
    switch (change.kind) {
      case 'started':
        this.#epoch += 1;
        break;
      case 'total':
        this.resource(change.resource).total = change.total;
        break;
      case 'lease':
        this.#leases.set(change.name, change.lease);
        break;
      case 'observed':
        this.resource(change.resource).observed = change.count;
        break;
    }
  }

  state(at: Instant): ControllerState {
    const resources = [...this.resources];
    return {
      at,
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

  /** The changes that lead to the state. */
  static changesTo(state: ControllerState): Change[] {
    const { at } = state;
    return [
      ...Object.entries(state.totals).map(([resource, total]) => ({ kind: 'total', at, resource, total }) as const),
      ...Object.entries(state.leases).map(([name, lease]) => ({ kind: 'lease', at, name, lease }) as const),
      ...Object.entries(state.observed).map(
        ([resource, count]) => ({ kind: 'observed', at, resource, count }) as const,
      ),
    ];
  }

  restoreEpoch(epoch: number): void {
    this.#epoch = epoch;
  }
}
