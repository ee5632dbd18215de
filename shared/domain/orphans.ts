import type { SitePolicy } from './model.ts';
import type { ListByResource } from './provider-lists.ts';
import type { Orphan, Situation } from './situation.ts';

/** Lent to this site, but for no resource that is elastic here any more and in no ledger. */
export function orphans(
  { ledgers }: Situation,
  lists: readonly ListByResource[],
  { resources }: SitePolicy,
): readonly Orphan[] {
  const elastic = new Set(resources.map(({ resource }) => resource));
  const lent = lists.flatMap(({ list: { provider }, grants }) =>
    [...grants]
      .filter(([resource]) => !elastic.has(resource))
      .flatMap(([, ofResource]) => ofResource.filter(({ state }) => state === 'lent'))
      .map(({ id, tokens }) => ({ provider, grant: id, tokens })),
  );
  if (lent.length === 0) return [];
  const known = new Set(ledgers.flatMap(({ grants }) => grants.map(({ id }) => id)));
  return lent.filter(({ grant }) => !known.has(grant));
}
