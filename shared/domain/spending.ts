import { periodStart } from './calendar.ts';
import type { ElasticPolicy, Grant, GrantTerms, Instant, ResourceLedger, Spending, Tokens } from './model.ts';

const hourMilliseconds = 3_600_000;

/** What `tokens` cost over a time. */
export function costOf(terms: GrantTerms, tokens: Tokens, milliseconds: number): number {
  return (terms.costPerTokenHour * tokens * milliseconds) / hourMilliseconds;
}

/**
 * The least that one token costs if it is borrowed now: it is held for the provider's minimum, and it has to be seen
 * unused for `returnAfterSeconds` before it goes back.
 */
export function leastPrice(terms: GrantTerms, policy: ElasticPolicy): number {
  return costOf(terms, 1, Math.max(terms.minimumHoldSeconds, policy.returnAfterSeconds) * 1000);
}

/** Cost of an open grant that is not yet in the ledger's spending, as far as it fell after `from`. */
function unsettledCost(grant: Grant, tokens: Tokens, from: Instant, now: Instant): number {
  if (grant.settledAt === undefined) return 0;
  return costOf(grant.terms, tokens, Math.max(0, now - Math.max(grant.settledAt, from)));
}

/** Books what returned tokens have cost; sums of an earlier day or month are dropped. */
export function settle(spending: Spending, grant: Grant, tokens: Tokens, now: Instant): Spending {
  const book = (per: 'day' | 'month') =>
    spentSince(spending, per, now) + unsettledCost(grant, tokens, periodStart(now, per), now);
  return { day: book('day'), month: book('month'), at: now };
}

function spentSince(spending: Spending, per: 'day' | 'month', now: Instant): number {
  return spending.at >= periodStart(now, per) ? spending[per] : 0;
}

/** Spent in the period of `now`, plus what open grants and unknown requests are bound to cost yet. */
export function committedSpending(ledger: ResourceLedger, policy: ElasticPolicy, now: Instant): number {
  const per = policy.spendingCap?.per ?? 'month';
  let sum = spentSince(ledger.spending, per, now);
  for (const grant of ledger.grants) {
    if (grant.state === 'requested') {
      // It may have been lent since it was first asked for.
      sum += unsettledCost({ ...grant, settledAt: grant.requestedAt }, grant.tokens, periodStart(now, per), now);
      sum += grant.tokens * leastPrice(grant.terms, policy);
    } else {
      sum += unsettledCost(grant, grant.tokens, periodStart(now, per), now);
      const unusedAt = (grant.grantedAt ?? now) + policy.returnAfterSeconds * 1000;
      sum += costOf(grant.terms, grant.tokens, Math.max(0, Math.max(grant.holdUntil ?? now, unusedAt) - now));
    }
  }
  return sum;
}

/** What is borrowed costs more than the cap, as tokens in use have been kept for longer than they were borrowed for. */
export function isOverspent(ledger: ResourceLedger, policy: ElasticPolicy, now: Instant): boolean {
  return policy.spendingCap !== undefined && committedSpending(ledger, policy, now) > policy.spendingCap.amount;
}
