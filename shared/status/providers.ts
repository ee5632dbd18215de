import type { ProviderStatus } from '../contracts/status.ts';
import { requestedTokens, sumTokens } from '../domain/grants.ts';
import type { Grant, Instant, ResourceLedger, SitePolicy, Tokens } from '../domain/model.ts';
import type { SiteRecord } from '../ports.ts';
import { ageSeconds } from './figures.ts';
import { rfc3339 } from './rfc3339.ts';

/** Those that may be asked, and those that have lent. */
export function providerNames({ resources }: SitePolicy, { ledgers }: SiteRecord): string[] {
  const mayLend = resources.flatMap(({ providers }) => providers);
  const haveLent = ledgers.flatMap(({ grants }) => grants.map(({ provider }) => provider));
  return [...new Set([...mayLend, ...haveLent])].sort();
}

export function providerStatus(name: string, policy: SitePolicy, record: SiteRecord, now: Instant): ProviderStatus {
  const known = record.providers.find(({ provider }) => provider === name);
  const mayLend = policy.resources.filter(({ providers }) => providers.includes(name)).map(({ resource }) => resource);
  const hasLent = record.ledgers
    .filter(({ grants }) => grants.some(({ provider }) => provider === name))
    .map(({ resource }) => resource);
  const ledgers = new Map(record.ledgers.map((ledger) => [ledger.resource, ledger]));
  return {
    name,
    ...(known && {
      description: {
        revision: known.description.revision,
        offers: [...known.description.offers],
        ageSeconds: ageSeconds(known.describedAt, now),
      },
    }),
    resources: [...new Set([...mayLend, ...hasLent])]
      .sort()
      .map((resource) => ({ name: resource, ...lending(name, ledgers.get(resource), now) })),
  };
}

function lending(
  provider: string,
  ledger: ResourceLedger | undefined,
  now: Instant,
): Omit<ProviderStatus['resources'][number], 'name'> {
  const grants = ledger?.grants.filter((grant) => grant.provider === provider) ?? [];
  const pausedUntil = ledger?.backoffs[provider]?.until ?? now;
  return {
    requested: sumTokens(grants, requestedTokens),
    lent: sumTokens(grants, lentTokens),
    ...(pausedUntil > now && { notAskedBefore: rfc3339(pausedUntil) }),
  };
}

function lentTokens(grant: Grant): Tokens {
  return grant.state === 'requested' ? 0 : grant.tokens;
}
