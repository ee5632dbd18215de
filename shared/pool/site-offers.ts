import type { ProviderDescription, Tokens } from '../domain/model.ts';
import { describeOffers, stockOffers, type PoolOffer, type StockedOffer } from './offer.ts';

/** By site and resource: most tokens lent to that site at once, in place of the offer's own maximum. */
export type SiteMaxima = ReadonlyMap<string, ReadonlyMap<string, Tokens>>;

/** What a pool offers to each site. */
export class SiteOffers {
  readonly #pool: string;
  readonly #stocked: ReadonlyMap<string, StockedOffer>;
  readonly #maxima: SiteMaxima;
  readonly #descriptions = new Map<string, ProviderDescription>();

  /** Throws `OffersInvalid`. */
  constructor(pool: string, offers: readonly PoolOffer[], maxima: SiteMaxima) {
    this.#pool = pool;
    this.#stocked = stockOffers(pool, offers);
    this.#maxima = maxima;
  }

  find(site: string, resource: string): StockedOffer | undefined {
    const offer = this.#stocked.get(resource);
    return offer && { ...offer, maximum: this.#maxima.get(site)?.get(resource) ?? offer.maximum };
  }

  /** Its revision is that of the site's own terms. */
  describe(site: string): ProviderDescription {
    const known = this.#descriptions.get(site);
    if (known !== undefined) return known;
    const offers = [...this.#stocked.keys()].flatMap((resource) => this.find(site, resource) ?? []);
    const description = describeOffers(this.#pool, offers);
    this.#descriptions.set(site, description);
    return description;
  }
}
