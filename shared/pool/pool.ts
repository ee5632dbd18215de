import type { GrantAnswer, GrantRequest } from '../contracts/provider.ts';
import type { ProviderDescription, Tokens } from '../domain/model.ts';
import type { Clock } from '../ports.ts';
import { grantAnswer } from './answers.ts';
import { lend } from './lending.ts';
import type { PoolOffer } from './offer.ts';
import { PoolProblem } from './problem.ts';
import { giveBack } from './returning.ts';
import { endedGrant, expire, forestall, recall, renew, parting } from './rules.ts';
import {
  findGrant,
  type BarredGrant,
  type ClaimedGrant,
  type ClosedGrant,
  type GrantRecord,
  type OpenGrant,
  type Shelf,
} from './shelf.ts';
import { Shelves, type Rule } from './shelves.ts';
import { SiteOffers, type SiteMaxima } from './site-offers.ts';
import type { PoolStore } from './store.ts';

/**
 * Lends tokens to sites. Any number of copies of a pool may run on one store (see `Shelves`). Methods throw
 * `PoolProblem` for what they will not do, and `ShelfContended`.
 */
export class Pool {
  readonly name: string;
  readonly #offers: SiteOffers;
  readonly #store: PoolStore;
  readonly #shelves: Shelves;
  readonly #clock: Clock;

  /** Throws `OffersInvalid`. */
  constructor(options: {
    name: string;
    offers: readonly PoolOffer[];
    siteMaxima?: SiteMaxima;
    store: PoolStore;
    clock: Clock;
  }) {
    this.name = options.name;
    this.#offers = new SiteOffers(options.name, options.offers, options.siteMaxima ?? new Map());
    this.#store = options.store;
    this.#shelves = new Shelves(options.store, options.clock);
    this.#clock = options.clock;
  }

  describe(site: string): ProviderDescription {
    return this.#offers.describe(site);
  }

  /** The same id and body make one grant; the answer is how it stands now, also after it has ended. */
  async request(
    site: string,
    id: string,
    { resource, tokens: asked }: Pick<GrantRequest, 'resource' | 'tokens'>,
  ): Promise<GrantAnswer> {
    const claim: ClaimedGrant = { state: 'claimed', id, site, resource, asked };
    return this.#answer(resource, async (shelf, now) => {
      const known = findGrant(shelf, id);
      if (known !== undefined) {
        refuseOther(known, claim);
        return { shelf, answer: known };
      }
      const offer = this.#offers.find(site, resource);
      if (offer === undefined) {
        throw new PoolProblem('unknown-resource', `asking for ${resource}: this pool lends none; see its description`);
      }
      const record = await this.#store.claim(claim);
      refuseOther(record, claim);
      if (record.state === 'claimed') return lend(shelf, offer, record, now);
      return { shelf, answer: record.state === 'barred' ? endedGrant(claim, record.at) : record };
    });
  }

  async get(site: string, id: string): Promise<GrantAnswer> {
    const { resource } = await this.#find(id, site);
    return this.#answer(resource, async (shelf) => {
      const grant = findGrant(shelf, id) ?? (await this.#find(id, site));
      if (grant.state === 'claimed') throw noGrant(id);
      return { shelf, answer: grant };
    });
  }

  /** The site's open grants of every resource, and those that ended lately. */
  async list(site: string): Promise<GrantAnswer[]> {
    const shelves = await this.#store.readShelves();
    const now = this.#clock.now();
    const { revision } = this.describe(site);
    return shelves.flatMap((stored) => {
      const { open, recent } = parting(expire(stored, now), now).shelf;
      return [...open, ...recent]
        .filter((grant) => grant.site === site)
        .map((grant) => grantAnswer(grant, revision, now));
    });
  }

  /** Answers the tokens still lent: none for an id that the pool never saw, and then nothing will be lent under it. */
  async giveBack(site: string, id: string, body: { returnId: string; tokens: Tokens }): Promise<Tokens> {
    const barred: BarredGrant = { state: 'barred', id, site, at: this.#clock.now() };
    const first = (await this.#store.readRecord(id)) ?? (await this.#store.claim(barred));
    if (first.site !== site) throw noGrant(id);
    if (first.state === 'barred') return 0;
    return this.#shelves.change(first.resource, async (shelf, now) => {
      const grant = findGrant(shelf, id) ?? (await this.#find(id, site));
      if (grant.state === 'open') return giveBack(shelf, grant, body, now);
      return grant.state === 'claimed' ? forestall(shelf, grant, now) : { shelf, answer: 0 };
    });
  }

  /** Answers the seconds that the lease lasts from now. */
  async renew(site: string, id: string): Promise<number> {
    const { resource } = await this.#find(id, site);
    return this.#shelves.change(resource, async (shelf, now) => renew(shelf, lentGrant(shelf, id), now));
  }

  /** For the operator, who may ask for the grant of any site. */
  async recall(id: string, withinSeconds?: number): Promise<GrantAnswer> {
    const { resource } = await this.#find(id);
    return this.#answer(resource, async (shelf, now) => recall(shelf, lentGrant(shelf, id), withinSeconds, now));
  }

  async #answer(resource: string, rule: Rule<OpenGrant | ClosedGrant>): Promise<GrantAnswer> {
    const grant = await this.#shelves.change(resource, rule);
    return grantAnswer(grant, this.describe(grant.site).revision, this.#clock.now());
  }

  /** Another site's grant and an id that was never lent look alike, so that nobody learns what others have. */
  async #find(id: string, site?: string): Promise<Exclude<GrantRecord, BarredGrant>> {
    const record = await this.#store.readRecord(id);
    if (record === undefined || record.state === 'barred') throw noGrant(id);
    if (site !== undefined && record.site !== site) throw noGrant(id);
    return record;
  }
}

/** Throws `PoolProblem` where the id stands for something else. */
function refuseOther(standing: OpenGrant | GrantRecord, { id, site, resource, asked }: ClaimedGrant): void {
  if (standing.site === site) {
    if (standing.state === 'barred' || (standing.resource === resource && standing.asked === asked)) return;
  }
  throw new PoolProblem('conflict', `asking for grant ${id}: the id stands for another request; use a new one`);
}

function lentGrant(shelf: Shelf, id: string): OpenGrant {
  const grant = findGrant(shelf, id);
  if (grant?.state === 'open') return grant;
  throw new PoolProblem('not-lent', `looking for grant ${id}: nothing is lent under it now; ask for a new grant`);
}

function noGrant(id: string): PoolProblem {
  return new PoolProblem(
    'unknown-grant',
    `looking for grant ${id}: there is none; check the id, and whose grant it is`,
  );
}
