import { isConfirmed, totalOf } from '../../shared/domain/ledger.ts';
import type { PoolConfig } from '../../shared/config/derive.ts';
import type { SitePolicy } from '../../shared/domain/model.ts';
import { breaker } from './check.ts';
import type { Sight } from './sight.ts';

const broken = breaker(8, 'it ends');

/** After the last fault the three agree after this many ticks: one pass learns, one acts, and a push follows each. */
export const ticksToAgree = 4;

/**
 * After the last job and the last fault nothing is borrowed any more after this many ticks: what is held longest is seen
 * idle for `returnAfter` past its minimum hold, lingers, and is given back.
 */
export function ticksToReturnAll({ resources }: SitePolicy, pools: readonly PoolConfig[]): number {
  const hold = Math.max(
    0,
    ...pools.flatMap(({ offers }) => offers.map(({ minimumHoldSeconds }) => minimumHoldSeconds)),
  );
  const wait = Math.max(
    ...resources.map(({ returnAfterSeconds, lingerSeconds }) => Math.max(hold, returnAfterSeconds) + lingerSeconds),
  );
  return Math.ceil(wait / 60) + 2 * ticksToAgree;
}

/** Ledger, providers and controller say the same of every resource. */
export function agree(sight: Sight, { resources }: SitePolicy): void {
  for (const { resource, owned } of resources) {
    const ledger = sight.ledgers.get(resource);
    const total = sight.controller.get(resource)?.total;
    if (ledger === undefined || !isConfirmed(ledger)) {
      return broken(sight.at, `the total that the ledger of ${resource} wants is not confirmed`);
    }
    if (ledger.target.owned !== owned) broken(sight.at, `the ledger of ${resource} owns ${ledger.target.owned}`);
    if (total !== totalOf(ledger.target)) {
      broken(sight.at, `the controller applies ${total} ${resource}, the ledger wants ${totalOf(ledger.target)}`);
    }
    for (const { id, tokens, expiresAt = Infinity } of ledger.grants) {
      const lent = sight.lent.find((grant) => grant.id === id)?.tokens ?? 0;
      // What has ended in use goes as its jobs end.
      if (tokens !== lent && expiresAt > sight.at)
        broken(sight.at, `the ledger holds ${tokens} under ${id}, ${lent} are lent`);
    }
    const held = new Set(ledger.grants.map(({ id }) => id));
    for (const { id } of sight.lent.filter((grant) => grant.resource === resource)) {
      if (!held.has(id)) broken(sight.at, `a grant is open under ${id}, of which the ledger knows nothing`);
    }
  }
}

/** The same, and nothing is borrowed. */
export function nothingBorrowed(sight: Sight, policy: SitePolicy): void {
  agree(sight, policy);
  for (const { resource, grants } of sight.ledgers.values()) {
    if (grants.length > 0) broken(sight.at, `${grants.length} grants of ${resource} are still open`);
  }
}
