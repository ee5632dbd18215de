import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { loadSiteFile } from '../../shared/config/load.ts';
import { siteFile } from '../../shared/config/schema.ts';
import { faultsIn } from './site-folder.ts';

const siteFiles = (await readdir('examples')).filter((name) => name.endsWith('.yaml') && name !== 'resources.yaml');

describe('the examples', () => {
  it.each(siteFiles)('%s has no fault', async (name) => {
    expect(await faultsIn(`examples/${name}`)).toEqual([]);
  });

  it('have one that can be deployed, which has no fault either', async () => {
    expect(await faultsIn('sites/austin.yaml')).toEqual([]);
  });

  it('teach every key of a site file', async () => {
    const files = ['examples/site.yaml', 'examples/resources.yaml', 'sites/austin.yaml'];
    const text = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
    const keys = keysOf(z.toJSONSchema(siteFile, { io: 'input' }));
    expect(keys).toContain('spendingCap');
    expect(keys.filter((key) => !new RegExp(`\\b${key}:\\s`).test(text))).toEqual([]);
  });
});

describe('hfss.yaml', () => {
  it.each([
    ['aa_r', 4, 9],
    ['aa_r_hpc', 64, 384],
    ['hfss_solve', 8, 13],
    ['hfsshpc', 40, 122],
    ['optimetrics', 4, 7],
  ])('lets %s, of which %d are owned, grow beyond the %d that are needed at the peak', async (name, owned, peak) => {
    const { controllerConfig, pools } = await loadSiteFile('examples/hfss.yaml');
    const resource = controllerConfig.resources.find((resource) => resource.name === name);
    const offer = pools[0]?.offers.find((offer) => offer.resource === name);
    expect(resource?.owned).toBe(owned);
    expect(resource?.ceiling).toBeGreaterThan(peak);
    expect(owned + (offer?.maximum ?? 0)).toBeGreaterThan(peak);
  });
});

/** The names of all properties in a JSON Schema. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = 'properties' in schema ? Object.keys(Object(schema.properties)) : [];
  return [...properties, ...Object.values(schema).flatMap(keysOf)];
}
