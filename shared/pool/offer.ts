import { createHash } from 'node:crypto';
import * as z from 'zod';
import { resourceName, seconds, tokens } from '../contracts/common.ts';
import { grantTerms } from '../contracts/provider.ts';
import type { Offer, ProviderDescription } from '../domain/model.ts';

/** What a pool has of one resource, and the terms on which it lends it, as a person configures them. */
const poolOffer = z.strictObject({
  ...grantTerms.shape,
  leaseSeconds: seconds.exactOptional().describe('A grant ends this long after it was made or renewed'),
  resource: resourceName,
  capacity: tokens.describe('All that may be lent at once, to all sites together'),
  maximum: tokens.exactOptional().describe('Most tokens lent to one site at once; absent: the capacity'),
});
export type PoolOffer = z.infer<typeof poolOffer>;

/** An offer with the capacity behind it. */
export type StockedOffer = Offer & { readonly capacity: number };

/** A pool cannot be opened with these offers. */
export class OffersInvalid extends Error {
  override readonly name = 'OffersInvalid';

  constructor(pool: string, fault: string) {
    super(`opening pool ${pool}: ${fault}; correct its offers`);
  }
}

/** By resource. Throws `OffersInvalid`. */
export function stockOffers(pool: string, offers: readonly PoolOffer[]): ReadonlyMap<string, StockedOffer> {
  const result = z.array(poolOffer).safeParse(offers);
  if (!result.success) throw new OffersInvalid(pool, z.prettifyError(result.error));
  const stocked = new Map<string, StockedOffer>();
  for (const offer of result.data) {
    if (stocked.has(offer.resource)) throw new OffersInvalid(pool, `${offer.resource} is offered twice`);
    stocked.set(offer.resource, { ...offer, maximum: offer.maximum ?? offer.capacity });
  }
  return stocked;
}

/** What the sites may know: everything but the capacity. */
export function describeOffers(pool: string, stocked: Iterable<StockedOffer>): ProviderDescription {
  const offers = Array.from(stocked, ({ capacity: _ours, ...offer }) => offer);
  // The schema gave every offer the same order of keys, so equal offers have equal digests.
  const revision = createHash('sha256')
    .update(JSON.stringify([pool, offers]))
    .digest('base64url');
  return { provider: pool, revision, offers };
}
