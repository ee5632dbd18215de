/** The parties of a run: the real controller, the real pools, and a table under the real ledger store. */
import { resourceKey, type Item } from '../shared/adapters/dynamodb/items.ts';
import { ledgerBody } from '../shared/adapters/dynamodb/bodies.ts';
import type { LoadedSite } from '../shared/config/load.ts';
import type { Instant, ResourceLedger } from '../shared/domain/model.ts';
import type { PassRecord } from '../shared/domain/pass-record.ts';
import type { PoolOffer } from '../shared/pool/offer.ts';
import { Pool } from '../shared/pool/pool.ts';
import { expire } from '../shared/pool/rules.ts';
import type { OpenGrant, Shelf } from '../shared/pool/shelf.ts';
import type { Lent, Sight } from '../test/promises/sight.ts';
import { FallibleController } from './controller.ts';
import { PoolShelves } from './pool-shelves.ts';
import { SimulatedTable } from './table.ts';
import { PartyClock, TrueTime } from './true-time.ts';

/** One lender. Its terms may change, its shelves stay. */
export class Lender {
  readonly name: string;
  readonly clock: PartyClock;
  readonly shelves = new PoolShelves();
  #offers: readonly PoolOffer[];
  #pool: Pool;
  readonly #seen = new Map<string, { shelf: Shelf; offset: number; until: Instant; lent: readonly Lent[] }>();

  constructor(name: string, offers: readonly PoolOffer[], time: TrueTime) {
    this.name = name;
    this.clock = new PartyClock(time);
    this.#offers = offers;
    this.#pool = this.#open();
  }

  get pool(): Pool {
    return this.#pool;
  }

  changeTerms(change: (offer: PoolOffer) => PoolOffer): void {
    this.#offers = this.#offers.map(change);
    this.#pool = this.#open();
  }

  /** What is lent to the site, its times by true time. */
  lentTo(site: string): readonly Lent[] {
    const { shelves } = this.shelves;
    const lists = [...shelves.values()].map((shelf) => this.#lentOn(shelf, site));
    return lists.length === 1 ? (lists[0] ?? []) : lists.flat();
  }

  /** As the pool has it, with times by its own clock. */
  openGrants(site: string): OpenGrant[] {
    const now = this.clock.now();
    return [...this.shelves.shelves.values()].flatMap((shelf) =>
      expire(shelf, now).open.filter((grant) => grant.site === site),
    );
  }

  #lentOn(shelf: Shelf, site: string): readonly Lent[] {
    const { offset } = this.clock;
    const now = this.clock.now();
    const seen = this.#seen.get(shelf.resource);
    if (seen?.shelf === shelf && seen.offset === offset && now < seen.until) return seen.lent;
    const { open } = expire(shelf, now);
    const until = Math.min(...open.map(({ expiresAt = Infinity }) => expiresAt));
    const lent = open
      .filter((grant) => grant.site === site)
      .map((grant) => ({
        ...grant,
        provider: this.name,
        madeAt: grant.madeAt - offset,
        ...(grant.expiresAt === undefined ? {} : { expiresAt: grant.expiresAt - offset }),
      }));
    this.#seen.set(shelf.resource, { shelf, offset, until, lent });
    return lent;
  }

  #open(): Pool {
    const { name, clock, shelves: store } = this;
    return new Pool({ name, offers: this.#offers, store, clock });
  }
}

/** A ledger was put: what stood there before, and what stands there now. */
type LedgerPut = (previous: ResourceLedger | undefined, next: ResourceLedger) => void;

export class World {
  readonly site: LoadedSite;
  readonly time: TrueTime;
  readonly controllerClock: PartyClock;
  readonly lenders: readonly Lender[];
  readonly table: SimulatedTable;
  readonly ledgers = new Map<string, ResourceLedger>();
  readonly passes = new Map<string, PassRecord>();
  /** Parties, by their clocks, that no call reaches or whose answers are lost. */
  readonly dark = new Map<PartyClock, { readonly until: Instant; readonly fault: 'call-lost' | 'call-unanswered' }>();
  controller: FallibleController;

  constructor(site: LoadedSite, start: Instant, onLedger: LedgerPut) {
    this.site = site;
    this.time = new TrueTime(start);
    this.controllerClock = new PartyClock(this.time);
    this.controller = new FallibleController({ config: site.controllerConfig, now: start });
    this.lenders = site.pools.map(({ provider, offers }) => new Lender(provider, offers, this.time));
    const prefix = resourceKey('');
    this.table = new SimulatedTable((sortKey, item: Item) => {
      if (!sortKey.startsWith(prefix)) return;
      const next = ledgerBody.read(item);
      const previous = this.ledgers.get(next.resource);
      this.ledgers.set(next.resource, next);
      onLedger(previous, next);
    });
  }

  restartController(): void {
    const state = this.controller.state();
    const now = this.controllerClock.now();
    this.controller = new FallibleController({
      config: this.site.controllerConfig,
      now,
      saved: { state, changes: [] },
    });
  }

  look(): Sight {
    const { policy } = this.site;
    const controller = new Map(
      policy.resources.map(({ resource }) => [resource, this.controller.figures(resource)] as const),
    );
    const lent = this.lenders.flatMap((lender) => lender.lentTo(policy.site));
    return { at: this.time.now, controller, ledgers: this.ledgers, lent };
  }
}
