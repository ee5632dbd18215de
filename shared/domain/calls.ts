/** Which provider calls follow from a ledger. They follow from its state alone, so a pass that died is finished by the next. */
import { countedTokens, goesBackWhole, heldTokens, isRenewalDue, sumTokens } from './grants.ts';
import { totalOf } from './ledger.ts';
import type { ElasticPolicy, Grant, ResourceLedger, Tokens } from './model.ts';
import { isObserved, observedResource } from './observed.ts';
import { peakNeed } from './peaks.ts';
import type { Situation } from './situation.ts';

/** One call to make; it is safe to make it again. */
export interface ProviderCall {
  /** `abandon`: asks the provider to end an id whose request was never answered. */
  readonly kind: 'request' | 'abandon' | 'giveBack' | 'renew';
  readonly grant: Grant;
  /** To ask for, or to give back. */
  readonly tokens: Tokens;
}

/** In the order in which to make them: what costs money first. */
export function callsDue(ledger: ResourceLedger, policy: ElasticPolicy, situation: Situation): readonly ProviderCall[] {
  const calls: ProviderCall[] = [];
  for (const grant of ledger.grants) {
    if (!isGiveBackDue(ledger, grant, policy, situation)) continue;
    const tokens = givenBack(grant, situation);
    if (tokens > 0) calls.push({ kind: 'giveBack', grant, tokens });
  }
  // What was taken over since may have filled the cap.
  const mayAsk = sumTokens(ledger.grants, heldTokens) <= policy.maxBorrowed;
  let spare = spareTokens(ledger, policy, situation);
  for (const grant of ledger.grants) {
    if (grant.state === 'requested') {
      // Without a look at the site nobody knows whether tokens are still wanted; borrowing stops.
      if (situation.observation === undefined) continue;
      if (grant.return === undefined) {
        if (mayAsk && situation.frozen === undefined) calls.push({ kind: 'request', grant, tokens: grant.tokens });
      } else if (grant.return.confirmedAt !== undefined) calls.push({ kind: 'abandon', grant, tokens: grant.tokens });
    } else if (isRenewalDue(grant, situation.now) && grant.recall === undefined && countedTokens(grant) > 0) {
      if (countedTokens(grant) > spare) calls.push({ kind: 'renew', grant, tokens: grant.tokens });
      else spare -= countedTokens(grant);
    }
  }
  return calls;
}

/**
 * The controller confirmed a total without these tokens, but a licence server may count a checkout beyond its job's end.
 * So the provider hears of it after `linger`, and where the licence server is observed, when a count made since the
 * confirmation fits the lower total.
 */
function isGiveBackDue(
  ledger: ResourceLedger,
  grant: Grant,
  { resource, lingerSeconds }: ElasticPolicy,
  { now, observation }: Situation,
): boolean {
  if (grant.state === 'requested' || grant.return?.phase !== 'returning') return false;
  if (grant.return.confirmedAt === undefined) return false;
  if (goesBackWhole(grant) && countedTokens(grant) > 0) return false;
  if (now < grant.return.confirmedAt + lingerSeconds * 1000 || observation === undefined) return false;
  const seen = observedResource(observation, resource);
  if (seen?.observed === undefined || !isObserved(seen)) return true;
  const countedAt = observation.receivedAt - seen.observed.ageSeconds * 1000;
  return countedAt > grant.return.confirmedAt && seen.observed.inUse <= totalOf(ledger.target);
}

/**
 * What the total counts must stay lent. The provider may lend less than the ledger holds: it took a part back, or another
 * deployment gave a part back.
 */
function givenBack(grant: Grant, { lists }: Situation): Tokens {
  const listed = lists.find((list) => list.provider === grant.provider)?.grants.find(({ id }) => id === grant.id);
  const going = grant.return?.tokens ?? 0;
  return listed?.state === 'lent' ? Math.min(going, Math.max(0, listed.tokens - countedTokens(grant))) : going;
}

/** Tokens that the total could do without, so that grants of as many together need no renewal. */
function spareTokens(ledger: ResourceLedger, policy: ElasticPolicy, { observation }: Situation): Tokens {
  const seen = observedResource(observation, policy.resource);
  if (seen === undefined) return policy.onStale === 'keep' ? 0 : Infinity;
  const peak = peakNeed(seen.recentPeaks, policy.returnAfterSeconds);
  return peak.known ? totalOf(ledger.target) - peak.need - policy.headroom : 0;
}
