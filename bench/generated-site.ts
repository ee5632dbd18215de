import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSiteFile, type LoadedSite } from '../shared/config/load.ts';
import { withDirectory } from './places.ts';

export const resourceNames = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `feature_${String(index).padStart(4, '0')}`);

/** A site that owns `owned` tokens of each resource and borrows as many more as anybody asks for. */
export function generatedSite({
  resources,
  owned = 1,
}: {
  resources: readonly string[];
  owned?: number;
}): Promise<LoadedSite> {
  const all = <Value>(value: Value): Record<string, Value> =>
    Object.fromEntries(resources.map((name) => [name, value]));
  const elastic = { providers: ['burst'], maxBorrowed: 1_000, returnAfter: '5m', linger: '1m' };
  const site = {
    site: 'bench',
    providers: [
      { name: 'burst', kind: 'pool', offers: all({ capacity: 1_000, minimumHold: '2m', costPerTokenHour: 1 }) },
    ],
    resources: all({ shared: true, total: owned, elastic }),
  };
  return withDirectory(async (directory) => {
    const file = join(directory, 'site.yaml');
    // JSON is YAML.
    await writeFile(file, JSON.stringify(site));
    return loadSiteFile(file);
  });
}
