import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { FileFaults } from '../../shared/config/fault.ts';
import { loadSiteFile } from '../../shared/config/load.ts';
import { showSite } from '../../shared/config/show.ts';
import { arbitrarySite } from './arbitrary-site.ts';
import { siteFolder, soundSite } from './site-folder.ts';

describe('a site file that is shown', () => {
  it('has every default filled in and marked', async () => {
    const folder = await siteFolder({ 'site.yaml': soundSite });
    expect(showSite(await loadSiteFile(join(folder, 'site.yaml')))).toBe(`site: austin
cluster:
  backfill: true # default
providers:
  - name: burst
    kind: pool
    offers:
      hfsshpc:
        capacity: 96
        maximum: 96 # default
        block: 1
        minimumHold: 1h
        partialReturns: true # default
        costPerTokenHour: 0.3
resources:
  hfsshpc:
    shared: true
    total: 40
    elastic:
      providers:
        - burst
      providerOrder: listed # default
      maxBorrowed: 96
      maxStep: 96 # default
      borrowAfter: 0s # default
      returnAfter: 10m
      headroom: 0 # default
      linger: 2m # default
      onStale: keep # default
      staleAfter: 10m # default
  aa_r:
    shared: true
    total: 4
`);
  });

  it('means the same, and has no default left to fill in', async () => {
    const folder = await siteFolder({});
    const [path, shownPath] = [join(folder, 'site.yaml'), join(folder, 'shown.yaml')];
    await fc.assert(
      fc.asyncProperty(arbitrarySite, fc.boolean(), async (data, inPlace) => {
        await writeFile(path, stringify(inPlace ? data : { ...data, resources: 'resources.yaml' }));
        await writeFile(join(folder, 'resources.yaml'), stringify({ resources: data.resources }));
        const { written, ...site } = await loadSiteFile(path);
        expect(written).toEqual(data);
        await writeFile(shownPath, showSite({ ...site, written }));
        const { written: shown, ...again } = await loadSiteFile(shownPath);
        expect(again).toEqual(site);
        expect(shown).toEqual(site.file);
      }),
    );
  });
});

describe('any other file', () => {
  it('has faults that lie within it', async () => {
    const folder = await siteFolder({});
    const path = join(folder, 'site.yaml');
    const anyText = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.jsonValue().map((value) => stringify(value)),
      fc
        .tuple(fc.nat(soundSite.length), fc.nat(8), fc.constantFrom('', '-', ':', ' ', '\n', '{', '*', '&a ', '"'))
        .map(([start, length, other]) => soundSite.slice(0, start) + other + soundSite.slice(start + length)),
    );
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        await writeFile(path, text);
        const error: unknown = await loadSiteFile(path).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (error === undefined) return;
        if (!(error instanceof FileFaults)) throw error;
        expect(error.faults.length).toBeGreaterThan(0);
        const lines = text.split('\n');
        for (const { line, column } of error.faults) {
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
        }
      }),
      { numRuns: 500 },
    );
  });
});
