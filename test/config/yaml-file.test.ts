import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachIsFound, faultLines, faultsIn, siteFolder, soundSite } from './site-folder.ts';

describe('a text that YAML does not allow is a fault', () => {
  eachIsFound([
    [
      'a bracket that is left open',
      'total: 4\n',
      'total: { 4\n',
      '22:1  found "Flow map in block collection must be sufficiently indented and end with a }", expected one valid YAML document',
    ],
    [
      'a line that is out of line',
      'total: 4\n',
      'total: 4\n   shared: true\n',
      '22:1  found "All mapping items must start at the same column", expected one valid YAML document',
    ],
    [
      'a tag of unknown meaning',
      'total: 4\n',
      'total: !four 4\n',
      '21:12  found "Unresolved tag: !four", expected one valid YAML document',
    ],
    [
      'a second document',
      'total: 4\n',
      'total: 4\n---\n',
      '22:1  found a second document, expected one valid YAML document',
    ],
    [
      'a list for a key',
      'total: 4\n',
      '? [total]\n    : 4\n',
      '21:7  found a key that is not a text, expected one valid YAML document',
    ],
    [
      'a key that is there twice',
      'total: 4\n',
      'total: 4\n    total: 5\n',
      '22:5  resources.aa_r.total: found a key that the map has already, expected each key once',
    ],
    [
      'an alias of nothing',
      'total: 4\n',
      'total: *four\n',
      '21:12  resources.aa_r.total: found the alias *four, expected an anchor above it',
    ],
  ]);

  it('an empty file', async () => {
    expect(await faultLines({ 'site.yaml': '' })).toEqual(['site.yaml:1:1  found nothing, expected a map']);
  });

  it('brackets within brackets without end', async () => {
    expect(await faultLines({ 'site.yaml': '['.repeat(10_000) + ']'.repeat(10_000) })).toEqual([
      expect.stringMatching(/^site.yaml:1:\d+ {2}found ".*", expected one valid YAML document$/),
    ]);
  });

  it('aliases that grow without bounds', async () => {
    const doublings = Array.from(
      { length: 40 },
      (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`,
    );
    expect(await faultLines({ 'site.yaml': ['a0: &a0 [x]', ...doublings].join('\n') })).toEqual([
      expect.stringMatching(/^site.yaml:1:1 {2}found ".*", expected at most 10000 uses of aliases$/),
    ]);
  });

  it('an alias of itself', async () => {
    expect(await faultLines({ 'site.yaml': soundSite.replace('[burst]', '&loop [*loop]') })).toEqual([
      'site.yaml:16:25  resources.hfsshpc.elastic.providers[0]: found a list, expected a text',
    ]);
  });
});

describe('aliases', () => {
  it('let every resource share the rules of the first, and a fault in them is found where they stand', async () => {
    const others = Array.from(
      { length: 200 },
      (_, index) => `  r${index}: { shared: true, total: 1, elastic: *rules }\n`,
    );
    const offers = Array.from({ length: 200 }, (_, index) => `      r${index}: *terms\n`);
    const site = `${soundSite
      .replace('elastic:', 'elastic: &rules')
      .replace('      hfsshpc:', '      hfsshpc: &terms')
      .replace('resources:', `${offers.join('')}resources:`)}${others.join('')}`;
    expect(await faultLines({ 'site.yaml': site })).toEqual([]);
    expect(new Set(await faultLines({ 'site.yaml': site.replace('block: 1', 'block: 7') }))).toContain(
      'site.yaml:8:16  providers[0].offers.r199.block: found 7, expected a divisor of the maximum, 96',
    );
  });
});

describe('a file that cannot be read is a fault', () => {
  const readable = 'expected a file in UTF-8 of at most 10 MB that this user may read';

  it('because it is not there', async () => {
    expect(await faultLines({})).toEqual([`site.yaml:1:1  found no such file, ${readable}`]);
  });

  it('because it is a directory', async () => {
    const folder = await siteFolder({});
    await mkdir(join(folder, 'site.yaml'));
    expect(await faultsIn(join(folder, 'site.yaml'))).toMatchObject([{ found: 'a directory' }]);
  });

  it('because it is too large', async () => {
    const large = `${soundSite}#${' '.repeat(10_000_000 - soundSite.length - 1)}`;
    expect(await faultLines({ 'site.yaml': large })).toEqual([]);
    expect(await faultLines({ 'site.yaml': `${large} ` })).toEqual([
      `site.yaml:1:1  found more than 10 MB, ${readable}`,
    ]);
  });

  it('because it is not text', async () => {
    expect(await faultLines({ 'site.yaml': Uint8Array.of(0x73, 0xff) })).toEqual([
      `site.yaml:1:1  found bytes that are not UTF-8, ${readable}`,
    ]);
  });

  it('where the site file names it', async () => {
    const site = soundSite.replace(/resources:\n(.|\n)*/, 'resources: resource.yaml\n');
    expect(await faultLines({ 'site.yaml': site })).toEqual([
      `site.yaml:11:12  resources: found "resource.yaml", no such file, ${readable}`,
    ]);
  });
});
