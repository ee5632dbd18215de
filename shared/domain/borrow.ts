/** What could be borrowed of a resource, from whom, and the requests that a shortage leads to. */
import { heldTokens, sumTokens } from './grants.ts';
import { describeAfterSeconds, expiryMarginSeconds, maxOpenGrants } from './limits.ts';
import type { Change, Grant, GrantTerms, Instant, Offer, Tokens } from './model.ts';
import type { Draft, Situation } from './situation.ts';
import { committedSpending, leastPrice } from './spending.ts';
import { wholeBlocks } from './withdraw.ts';
import { count, duration } from './words.ts';

/** What one provider may be asked for. */
export interface Room {
  readonly provider: string;
  readonly terms: GrantTerms;
  readonly tokens: Tokens;
}

export interface Borrowable {
  /** In the order in which to ask. */
  readonly rooms: readonly Room[];
  readonly tokens: Tokens;
  /** What keeps it from being more, in words. */
  readonly limit: string;
  /** Providers whose terms must be read first. */
  readonly toDescribe: readonly string[];
}

/** Every cap counts all that is or may be lent, so what is unknown counts too. */
export function borrowable({ policy, ledger }: Draft, { providers, unreachable, now }: Situation): Borrowable {
  const held = sumTokens(ledger.grants, heldTokens);
  let capRoom = policy.maxBorrowed - held;
  if (ledger.grants.length >= maxOpenGrants) {
    return {
      rooms: [],
      tokens: 0,
      limit: `${maxOpenGrants} grants are open, the most for one resource`,
      toDescribe: [],
    };
  }
  if (capRoom <= 0) {
    const limit = `${held} of at most ${policy.maxBorrowed} borrowed (maxBorrowed)`;
    return { rooms: [], tokens: 0, limit, toDescribe: [] };
  }
  let money =
    policy.spendingCap === undefined ? Infinity : policy.spendingCap.amount - committedSpending(ledger, policy, now);
  const limits: string[] = [];
  const toDescribe: string[] = [];
  const rooms: Room[] = [];
  const offers: { provider: string; offer: Offer }[] = [];
  for (const provider of policy.providers) {
    const known = providers.find((record) => record.provider === provider);
    if (known === undefined || now - known.describedAt >= describeAfterSeconds * 1000) {
      toDescribe.push(provider);
      if (known === undefined) limits.push(`${provider} has not described itself`);
    }
    const offer = known?.description.offers.find(({ resource }) => resource === policy.resource);
    if (offer !== undefined) offers.push({ provider, offer });
    else if (known !== undefined) limits.push(`${provider} does not lend it`);
  }
  if (policy.providerOrder === 'cheapest') offers.sort((a, b) => a.offer.costPerTokenHour - b.offer.costPerTokenHour);
  for (const { provider, offer } of offers) {
    const grants = ledger.grants.filter((grant) => grant.provider === provider);
    const closed = unreachable.includes(provider)
      ? `${provider} does not answer`
      : closedBecause(provider, grants, ledger.backoffs[provider]?.until, now);
    if (closed !== undefined) {
      limits.push(closed);
      continue;
    }
    const { block, minimumHoldSeconds, partialReturns, leaseSeconds, costPerTokenHour } = offer;
    const terms = {
      block,
      minimumHoldSeconds,
      partialReturns,
      costPerTokenHour,
      ...(leaseSeconds === undefined ? {} : { leaseSeconds }),
    };
    if (block > policy.maxStep) {
      limits.push(`${provider} lends blocks of ${block}, more than may be asked for in one pass (maxStep)`);
      continue;
    }
    // A shorter lease would have to leave the total before it can be renewed.
    if (leaseSeconds !== undefined && leaseSeconds <= 2 * expiryMarginSeconds) {
      limits.push(`${provider} lends for only ${duration(leaseSeconds)}`);
      continue;
    }
    const lent = sumTokens(grants, heldTokens);
    const price = leastPrice(terms, policy);
    const affordable = price > 0 ? Math.floor(money / price) : Infinity;
    const tokens = wholeBlocks(Math.max(0, Math.min(offer.maximum - lent, capRoom, affordable)), block);
    if (tokens <= 0) {
      limits.push(narrowest(provider, offer, lent, capRoom, affordable, policy.maxBorrowed));
      continue;
    }
    rooms.push({ provider, terms, tokens });
    capRoom -= tokens;
    money -= tokens * price;
    if (money < price && price > 0) limits.push('the spending cap leaves no more');
    else if (lent + tokens + block > offer.maximum) limits.push(`${provider} lends at most ${offer.maximum}`);
  }
  if (capRoom <= 0) limits.push(`at most ${policy.maxBorrowed} may be borrowed (maxBorrowed)`);
  const tokens = rooms.reduce((sum, room) => sum + room.tokens, 0);
  if (limits.length === 0) limits.push(`no more than ${tokens} can be borrowed in whole blocks`);
  return { rooms, tokens, limit: limits.join('; '), toDescribe };
}

function closedBecause(
  provider: string,
  grants: readonly Grant[],
  backoffUntil: Instant | undefined,
  now: Instant,
): string | undefined {
  if (backoffUntil !== undefined && now < backoffUntil) {
    return `${provider} had no more to lend and is asked again in ${duration((backoffUntil - now) / 1000)}`;
  }
  return grants.some(({ recall }) => recall !== undefined) ? `${provider} is recalling tokens` : undefined;
}

function narrowest(
  provider: string,
  offer: Offer,
  lent: Tokens,
  capRoom: Tokens,
  affordable: number,
  maxBorrowed: Tokens,
): string {
  if (affordable < offer.block) return `the spending cap leaves nothing for ${provider}`;
  if (offer.maximum - lent < offer.block) return `${provider} lends at most ${offer.maximum} and has lent ${lent}`;
  return `less than ${provider}'s block of ${offer.block} is left of maxBorrowed ${maxBorrowed} (${capRoom})`;
}

export interface Shortage {
  readonly tokens: Tokens;
  /** Whose jobs lack them: a sentence without its full stop. */
  readonly cause: string;
  /**
   * Site, resource, epoch and time. With the version that records the intent they make an id which is never made again:
   * of one ledger only one write of a version succeeds, two ledgers never share an epoch, and a ledger that was restored
   * from a backup makes its versions again at another time.
   */
  readonly idPrefix: string;
}

/** One request a provider, each rounded up to its block, until the shortage or the step is covered. */
export function borrow(draft: Draft, { rooms }: Borrowable, { tokens: shortage, cause, idPrefix }: Shortage): Change[] {
  const { policy, ledger } = draft;
  const changes: Change[] = [];
  let step = policy.maxStep;
  let lacking = shortage;
  for (const { provider, terms, tokens: room } of rooms) {
    const wanted = Math.min(Math.ceil(lacking / terms.block) * terms.block, wholeBlocks(step, terms.block));
    const tokens = Math.min(room, wanted);
    if (lacking <= 0 || tokens <= 0) continue;
    lacking -= tokens;
    step -= tokens;
    changes.push({
      kind: 'borrow',
      grant: `${idPrefix}-${ledger.version + 1}-${changes.length + 1}`,
      provider,
      tokens,
      terms,
      reason: `${count(tokens, 'token')} from ${provider}: ${cause}`,
    });
  }
  return changes;
}
