/** The rules between the values of a pool file, read as it was written (see `consistency.ts`). */
import { offerFaults, type Inconsistency } from './consistency.ts';
import { oneOf } from './nearest.ts';
import { toMap } from './raw.ts';

export function* poolInconsistencies(pool: Readonly<Record<string, unknown>>): Generator<Inconsistency> {
  const offers = toMap(pool['offers']);
  for (const [resource, offer] of Object.entries(offers)) yield* offerFaults(toMap(offer), ['offers', resource]);

  const owners = new Map<unknown, string>();
  for (const [name, site] of Object.entries(toMap(pool['sites'])).map(([name, site]) => [name, toMap(site)] as const)) {
    const owner = owners.get(site['externalId']);
    if (site['externalId'] !== undefined && owner !== undefined) {
      yield { path: ['sites', name, 'externalId'], expected: `another than that of ${owner}` };
    }
    owners.set(site['externalId'], name);
    for (const [resource, maximum] of Object.entries(toMap(site['maximum']))) {
      const path = ['sites', name, 'maximum', resource];
      const { capacity } = toMap(offers[resource]);
      if (!Object.hasOwn(offers, resource)) {
        const expected = `a resource that is offered: ${oneOf(Object.keys(offers), resource)}`;
        yield { path, at: 'key', found: 'a resource that the pool does not offer', expected };
      } else if (typeof capacity === 'number' && typeof maximum === 'number' && maximum > capacity) {
        yield { path, expected: `at most the capacity, ${capacity}` };
      }
    }
  }
}
