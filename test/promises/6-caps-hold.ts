import { calendarPeriod, Spent } from './spent.ts';
import { heldTokens, sumTokens } from '../../shared/domain/grants.ts';
import type { ElasticPolicy, Instant, ResourceLedger, SitePolicy } from '../../shared/domain/model.ts';
import type { PoolConfig } from '../../shared/config/derive.ts';
import { breaker, type Check } from './check.ts';
import { lentTokens } from './sight.ts';

const broken = breaker(6, 'caps hold');

/**
 * No intent to borrow exceeds a cap, counting what is unknown; and what is lent never does. `clockErrorSeconds`: by how
 * much the parties' clocks may differ, and so what they say of a grant's age.
 */
export function capsHold(
  { resources }: SitePolicy,
  pools: readonly PoolConfig[],
  clockErrorSeconds: () => number = () => 0,
): Check {
  const policies = new Map(resources.map((policy) => [policy.resource, policy]));
  const maxima = new Map(resources.map(({ resource }) => [resource, maximaOf(pools, resource)]));
  const spent = new Spent();
  return {
    seen(sight) {
      spent.see(sight);
      if (sight.lent.length === 0) return;
      for (const { resource, maxBorrowed } of resources) {
        const lent = lentTokens(sight.lent, resource);
        if (lent > maxBorrowed) broken(sight.at, `${lent} ${resource} are lent, at most ${maxBorrowed} may be`);
        for (const { provider, maximum } of maxima.get(resource) ?? []) {
          const ofProvider = lentTokens(
            sight.lent.filter((grant) => grant.provider === provider),
            resource,
          );
          if (ofProvider > maximum)
            broken(sight.at, `${provider} lends ${ofProvider} ${resource} of at most ${maximum}`);
        }
      }
    },
    answered({ call, answer, before: { at } }) {
      if (call.method !== 'write' || answer !== 'written') return;
      const [, ledger] = call.arguments;
      const policy = policies.get(ledger.resource);
      if (policy === undefined || !ledger.lastEntry.changes.some(({ kind }) => kind === 'borrow')) return;
      checkTokens(ledger, policy, at);
      checkMoney(ledger, policy, at);
    },
  };

  function checkTokens({ grants, resource }: ResourceLedger, { maxBorrowed }: ElasticPolicy, at: Instant): void {
    const held = sumTokens(grants, heldTokens);
    if (held > maxBorrowed) broken(at, `${held} ${resource} are held or asked for, at most ${maxBorrowed} may be`);
    for (const { provider, maximum } of maxima.get(resource) ?? []) {
      const ofProvider = sumTokens(
        grants.filter((grant) => grant.provider === provider),
        heldTokens,
      );
      if (ofProvider > maximum)
        broken(at, `${ofProvider} ${resource} are asked of ${provider}, at most ${maximum} may be`);
    }
  }

  /** Spent so far, by what the providers lent, and the minimum hold of all that is or may be lent. */
  function checkMoney(ledger: ResourceLedger, { spendingCap }: ElasticPolicy, at: Instant): void {
    const { grants, resource, lastEntry } = ledger;
    // What costs nothing may be borrowed always.
    const costs = lastEntry.changes.some((change) => change.kind === 'borrow' && change.terms.costPerTokenHour > 0);
    if (spendingCap === undefined || !costs) return;
    let committed = spent.in(resource, calendarPeriod(spendingCap.per, at));
    for (const { tokens, terms, grantedAt = at } of grants) {
      const heldUntil = Math.max(at, grantedAt + terms.minimumHoldSeconds * 1000);
      committed += (tokens * terms.costPerTokenHour * (heldUntil - at)) / 3_600_000;
    }
    const doubt = (clockErrorSeconds() * spent.hourlyRate(resource)) / 3_600;
    if (committed > spendingCap.amount + doubt + 1e-6) {
      broken(at, `${committed} are spent or bound to be for ${resource}, at most ${spendingCap.amount} may be`);
    }
  }
}

function maximaOf(pools: readonly PoolConfig[], resource: string): { provider: string; maximum: number }[] {
  return pools.flatMap(({ provider, offers }) =>
    offers.flatMap((offer) =>
      offer.resource === resource ? [{ provider, maximum: offer.maximum ?? offer.capacity }] : [],
    ),
  );
}
