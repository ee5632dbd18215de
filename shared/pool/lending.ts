import type { GrantTerms, Instant, Tokens } from '../domain/model.ts';
import { count } from '../domain/words.ts';
import type { StockedOffer } from './offer.ts';
import { close, type Step } from './rules.ts';
import {
  lentTokens,
  maxOpenGrants,
  type ClaimedGrant,
  type OpenGrant,
  type RefusedGrant,
  type Shelf,
} from './shelf.ts';

/** How long a refused site shall wait where no lease ends sooner: tokens may come back at any time. */
const retryAfterSeconds = 60;

/** Lends as many of the tokens asked for as can be had, in whole blocks; refuses where that is none. */
export function lend(
  shelf: Shelf,
  offer: StockedOffer,
  claim: ClaimedGrant,
  now: Instant,
): Step<OpenGrant | RefusedGrant> {
  const { id, site, resource, asked } = claim;
  const tokens = wholeBlocks(Math.min(asked, freeTokens(shelf, offer), tokensLeft(shelf, offer, site)), offer.block);
  if (tokens === 0 || shelf.open.length >= maxOpenGrants) {
    const reason = whyNothing(shelf, offer, claim);
    const retry = secondsToNextEnd(shelf, now);
    const refused = { id, site, resource, asked, state: 'refused', at: now, reason, retryAfterSeconds: retry } as const;
    return { shelf: close(shelf, [refused]), answer: refused };
  }
  const { leaseSeconds } = offer;
  const grant: OpenGrant = {
    id,
    site,
    resource,
    asked,
    state: 'open',
    tokens,
    madeAt: now,
    terms: termsOf(offer),
    returns: [],
    ...(leaseSeconds === undefined ? {} : { expiresAt: now + leaseSeconds * 1000 }),
  };
  return { shelf: { ...shelf, open: [...shelf.open, grant] }, answer: grant };
}

/** Never below zero: a capacity that was lowered below what is lent only lends nothing more until it fits again. */
function freeTokens(shelf: Shelf, offer: StockedOffer): Tokens {
  return Math.max(0, offer.capacity - lentTokens(shelf.open));
}

/** What the site may still have of its maximum. */
function tokensLeft(shelf: Shelf, offer: StockedOffer, site: string): Tokens {
  return Math.max(0, offer.maximum - lentTokens(shelf.open.filter((grant) => grant.site === site)));
}

function wholeBlocks(tokens: Tokens, block: Tokens): Tokens {
  return tokens - (tokens % block);
}

function termsOf({
  block,
  minimumHoldSeconds,
  partialReturns,
  leaseSeconds,
  costPerTokenHour,
}: StockedOffer): GrantTerms {
  const terms = { block, minimumHoldSeconds, partialReturns, costPerTokenHour };
  return leaseSeconds === undefined ? terms : { ...terms, leaseSeconds };
}

function whyNothing(shelf: Shelf, offer: StockedOffer, { site, resource, asked }: ClaimedGrant): string {
  const blocks = `tokens are lent in blocks of ${offer.block}`;
  if (asked < offer.block) return `${count(asked, 'token')} asked for, but ${blocks}; ask for a whole block`;
  const left = tokensLeft(shelf, offer, site);
  if (left < offer.block) {
    return `site ${site} may have ${left} more of its maximum of ${count(offer.maximum, 'token')}, and ${blocks}`;
  }
  const free = freeTokens(shelf, offer);
  if (free < offer.block) return `${free} of ${count(offer.capacity, 'token')} are free, and ${blocks}`;
  return `the pool keeps at most ${maxOpenGrants} open grants of ${resource}; sites must give some back whole first`;
}

/** Whole seconds, at least one. */
function secondsToNextEnd(shelf: Shelf, now: Instant): number {
  const ends = shelf.open.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [(expiresAt - now) / 1000]));
  return Math.ceil(Math.min(retryAfterSeconds, ...ends));
}
