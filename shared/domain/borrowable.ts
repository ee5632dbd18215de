/** What could be borrowed of a resource, and from whom. Every cap counts all that is or may be lent, so unknown counts too. */
import { heldTokens, sumTokens } from './grants.ts';
import { describeAfterSeconds, expiryMarginSeconds, maxOpenGrants } from './limits.ts';
import type { Grant, GrantTerms, Offer, ProviderRecord, Tokens } from './model.ts';
import type { Draft, Situation } from './situation.ts';
import { committedSpending, leastPrice } from './spending.ts';
import { duration } from './words.ts';

/** What one provider may be asked for. */
interface Room {
  readonly provider: string;
  readonly terms: GrantTerms;
  readonly tokens: Tokens;
}

/** What may be asked for of one resource in this pass. */
export interface Borrowable {
  /** In the order in which to ask. */
  readonly rooms: readonly Room[];
  readonly tokens: Tokens;
  /** What keeps it from being more, in words. */
  readonly limit: string;
  /** Providers whose terms must be read first. */
  readonly toDescribe: readonly string[];
}

/** What the caps of the site leave while provider after provider is counted. */
interface Left {
  tokens: Tokens;
  money: number;
}

interface Offered {
  readonly provider: string;
  readonly offer: Offer;
}

/** Of a resource whose state is known. Every limit that holds something back is named. */
export function borrowable(draft: Draft, situation: Situation): Borrowable {
  const { policy, ledger } = draft;
  const held = sumTokens(ledger.grants, heldTokens);
  const nothing = (limit: string): Borrowable => ({ rooms: [], tokens: 0, limit, toDescribe: [] });
  const { frozen, now } = situation;
  if (frozen !== undefined)
    return nothing(`${frozen.by} has frozen borrowing for ${duration((now - frozen.since) / 1000)}`);
  if (ledger.grants.length >= maxOpenGrants)
    return nothing(`${maxOpenGrants} grants are open, the most for one resource`);
  if (held >= policy.maxBorrowed) return nothing(`${held} of at most ${policy.maxBorrowed} borrowed (maxBorrowed)`);

  const cap = policy.spendingCap;
  const money = cap === undefined ? Infinity : cap.amount - committedSpending(ledger, policy, now);
  const left: Left = { tokens: policy.maxBorrowed - held, money };
  const { offers, missing, toDescribe } = offersFor(draft, situation);
  const limits = [...missing];
  const rooms: Room[] = [];
  for (const offered of offers) {
    const closed = closedBecause(offered, draft, situation);
    const { room, limit } = closed === undefined ? roomFor(offered, draft, left) : { limit: closed };
    if (limit !== undefined) limits.push(limit);
    if (room !== undefined) rooms.push(room);
  }
  if (left.tokens <= 0) limits.push(`at most ${policy.maxBorrowed} may be borrowed (maxBorrowed)`);
  const tokens = rooms.reduce((sum, room) => sum + room.tokens, 0);
  if (limits.length === 0) limits.push(`the providers lend no more than ${tokens}`);
  return { rooms, tokens, limit: limits.join('; '), toDescribe };
}

interface Offers {
  /** In the order in which to ask. */
  readonly offers: readonly Offered[];
  /** Why some of the policy's providers offer nothing. */
  readonly missing: readonly string[];
  readonly toDescribe: readonly string[];
}

/** What the providers that may be asked offer. */
function offersFor({ policy }: Draft, { providers, now }: Situation): Offers {
  const toDescribe: string[] = [];
  const offers: Offered[] = [];
  const missing: string[] = [];
  for (const provider of policy.providers) {
    const known = providers.find((record) => record.provider === provider);
    if (known === undefined || now - known.describedAt >= describeAfterSeconds * 1000) toDescribe.push(provider);
    const offer = known && offersOf(known).get(policy.resource);
    if (offer !== undefined) offers.push({ provider, offer });
    else missing.push(known === undefined ? `${provider} has not described itself` : `${provider} does not lend it`);
  }
  if (policy.providerOrder === 'cheapest') offers.sort((a, b) => a.offer.costPerTokenHour - b.offer.costPerTokenHour);
  return { offers, missing, toDescribe };
}

/** Why the provider is not asked now, whatever it lends. */
function closedBecause(
  { provider, offer }: Offered,
  { policy, ledger }: Draft,
  situation: Situation,
): string | undefined {
  const { unreachable, now } = situation;
  const backoff = ledger.backoffs[provider];
  if (unreachable.includes(provider)) return `${provider} does not answer`;
  if (backoff !== undefined && now < backoff.until) {
    return `${provider} had no more to lend and is asked again in ${duration((backoff.until - now) / 1000)}`;
  }
  if (grantsOf(provider, ledger.grants).some(({ recall }) => recall !== undefined))
    return `${provider} is recalling tokens`;
  if (offer.block > policy.maxStep) {
    return `${provider} lends blocks of ${offer.block}, more than may be asked for in one pass (maxStep)`;
  }
  // A shorter lease would have to leave the total before it can be renewed.
  if (offer.leaseSeconds !== undefined && offer.leaseSeconds <= 2 * expiryMarginSeconds) {
    return `${provider} lends for only ${duration(offer.leaseSeconds)}`;
  }
  return undefined;
}

/** What the provider may be asked for, and why it is no more; what is `left` shrinks by it. */
function roomFor({ provider, offer }: Offered, { policy, ledger }: Draft, left: Left): { room?: Room; limit?: string } {
  const { resource: _resource, maximum, ...terms } = offer;
  const { block } = terms;
  const lent = sumTokens(grantsOf(provider, ledger.grants), heldTokens);
  const price = leastPrice(terms, policy);
  const affordable = price > 0 ? Math.floor(left.money / price) : Infinity;
  const tokens = wholeBlocks(Math.max(0, Math.min(maximum - lent, left.tokens, affordable)), block);
  left.tokens -= tokens;
  left.money -= tokens * price;
  const room = tokens > 0 ? { room: { provider, terms, tokens } } : {};
  if (affordable < tokens + block) return { ...room, limit: `the spending cap leaves no more for ${provider}` };
  if (maximum - lent < tokens + block) return { ...room, limit: `${provider} lends at most ${maximum}` };
  if (tokens > 0) return room;
  return { limit: `less than the block of ${block} of ${provider} is left of maxBorrowed ${policy.maxBorrowed}` };
}

function grantsOf(provider: string, grants: readonly Grant[]): readonly Grant[] {
  return grants.filter((grant) => grant.provider === provider);
}

const offersByRecord = new WeakMap<ProviderRecord, ReadonlyMap<string, Offer>>();

/** By resource, built once a record. */
function offersOf(record: ProviderRecord): ReadonlyMap<string, Offer> {
  const known = offersByRecord.get(record);
  if (known !== undefined) return known;
  const offers = new Map(record.description.offers.map((offer) => [offer.resource, offer]));
  offersByRecord.set(record, offers);
  return offers;
}

/** The most of `tokens` that is lent or taken back in blocks. */
export function wholeBlocks(tokens: Tokens, block: Tokens): Tokens {
  return Math.floor(tokens / block) * block;
}
