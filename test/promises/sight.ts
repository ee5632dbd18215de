/** One look at the whole world. Every part of it is read in the same turn, so nothing happens in between. */
import type { Instant, ResourceLedger, SitePolicy, Tokens } from '../../shared/domain/model.ts';
import { expire } from '../../shared/pool/rules.ts';
import type { OpenGrant } from '../../shared/pool/shelf.ts';
import type { PoolStore } from '../../shared/pool/store.ts';
import type { Clock, LedgerStore } from '../../shared/ports.ts';

/** What there is to see of a world: of a simulated one, or of one made of real parts. */
export interface VisibleWorld {
  readonly clock: Pick<Clock, 'now'>;
  readonly controller: {
    figures(resource: string): { readonly total: Tokens; readonly inUse: Tokens };
  };
  readonly poolStores: ReadonlyMap<string, Pick<PoolStore, 'readShelves'>>;
  readonly store: Pick<LedgerStore, 'read'>;
}

export interface Sight {
  readonly at: Instant;
  /** By resource. */
  readonly controller: ReadonlyMap<string, { readonly total: Tokens; readonly inUse: Tokens }>;
  readonly ledgers: ReadonlyMap<string, ResourceLedger>;
  /** What the providers count as lent to this site. */
  readonly lent: readonly Lent[];
}

export interface Lent extends OpenGrant {
  readonly provider: string;
}

export async function look(
  world: VisibleWorld,
  store: VisibleWorld['store'],
  { site, resources }: SitePolicy,
): Promise<Sight> {
  const at = world.clock.now();
  const controller = new Map(resources.map(({ resource }) => [resource, world.controller.figures(resource)]));
  const reading = store.read();
  const readingShelves = [...world.poolStores].map(async ([provider, pool]) => ({
    provider,
    shelves: await pool.readShelves(),
  }));
  const { ledgers } = await reading;
  const pools = await Promise.all(readingShelves);
  const lent = pools.flatMap(({ provider, shelves }) =>
    shelves.flatMap((shelf) =>
      expire(shelf, at).open.flatMap((grant) => (grant.site === site ? [{ ...grant, provider }] : [])),
    ),
  );
  return { at, controller, ledgers: new Map(ledgers.map((ledger) => [ledger.resource, ledger])), lent };
}

export function lentTokens(lent: readonly Lent[], resource: string): Tokens {
  return lent.reduce((sum, grant) => sum + (grant.resource === resource ? grant.tokens : 0), 0);
}
