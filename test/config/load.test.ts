import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileFaults } from '../../shared/config/fault.ts';
import { loadSiteFile } from '../../shared/config/load.ts';
import { faultLines, siteFolder, soundSite } from './site-folder.ts';

const fullSite = `site: austin
controller: { url: http://127.0.0.1:8180, keys: keys/controller.json }
cluster: { backfill: false }
providers:
  - name: vendor
    kind: pool
    url: https://pool.example.com
  - name: burst
    kind: pool
    offers:
      hfsshpc: { capacity: 96, maximum: 64, block: 8, minimumHold: 1h, partialReturns: false, lease: 8h, costPerTokenHour: 0.3 }
      hfss_solve: { capacity: 8, minimumHold: 90s, costPerTokenHour: 2.5 }
resources: resources.yaml
`;

const fullResources = `resources:
  hfsshpc:
    shared: true
    total: 40
    elastic:
      providers: [burst, vendor]
      providerOrder: cheapest
      maxBorrowed: 96
      maxStep: 32
      borrowAfter: 30s
      returnAfter: 1h30m
      headroom: 4
      linger: 1m
      spendingCap: { amount: 500, per: month }
      onStale: ownedOnly
      staleAfter: 5m
  scratch: { shared: false, total: 9 }
  aa_r: { shared: true, total: 4 }
  hfss_solve: { shared: true, total: 8, elastic: { providers: [burst], maxBorrowed: 5 } }
`;

async function load(site: string, resources = '') {
  return loadSiteFile(join(await siteFolder({ 'site.yaml': site, 'resources.yaml': resources }), 'site.yaml'));
}

describe('a site', () => {
  it('has a policy for its elastic resources, by name, in seconds and with every default', async () => {
    expect((await load(fullSite, fullResources)).policy).toStrictEqual({
      site: 'austin',
      resources: [
        {
          resource: 'hfss_solve',
          owned: 8,
          providers: ['burst'],
          providerOrder: 'listed',
          maxBorrowed: 5,
          maxStep: 5,
          borrowAfterSeconds: 0,
          returnAfterSeconds: 600,
          headroom: 0,
          lingerSeconds: 120,
          onStale: 'keep',
          staleAfterSeconds: 600,
        },
        {
          resource: 'hfsshpc',
          owned: 40,
          providers: ['burst', 'vendor'],
          providerOrder: 'cheapest',
          maxBorrowed: 96,
          maxStep: 32,
          borrowAfterSeconds: 30,
          returnAfterSeconds: 5_400,
          headroom: 4,
          lingerSeconds: 60,
          spendingCap: { amount: 500, per: 'month' },
          onStale: 'ownedOnly',
          staleAfterSeconds: 300,
        },
      ],
    });
  });

  it('counts its other shared resources, and leaves those of its hosts alone', async () => {
    const { fixed, controllerConfig } = await load(fullSite, fullResources);
    expect(fixed).toStrictEqual([{ resource: 'aa_r', total: 4 }]);
    expect(controllerConfig).toStrictEqual({
      site: 'austin',
      backfill: false,
      resources: [
        { name: 'aa_r', owned: 4, ceiling: 4, elastic: false },
        { name: 'hfss_solve', owned: 8, ceiling: 13, elastic: true },
        { name: 'hfsshpc', owned: 40, ceiling: 136, elastic: true },
      ],
    });
  });

  it('has pools that are elsewhere, and pools that can be started from their offers', async () => {
    expect((await load(fullSite, fullResources)).pools).toStrictEqual([
      { provider: 'vendor', url: 'https://pool.example.com', offers: [] },
      {
        provider: 'burst',
        offers: [
          {
            resource: 'hfss_solve',
            capacity: 8,
            maximum: 8,
            block: 1,
            minimumHoldSeconds: 90,
            partialReturns: true,
            costPerTokenHour: 2.5,
          },
          {
            resource: 'hfsshpc',
            capacity: 96,
            maximum: 64,
            block: 8,
            minimumHoldSeconds: 3_600,
            partialReturns: false,
            leaseSeconds: 28_800,
            costPerTokenHour: 0.3,
          },
        ],
      },
    ]);
  });

  it('keeps its file as it was written, with defaults', async () => {
    const { file } = await load(soundSite);
    expect(file.cluster).toEqual({ backfill: true });
    expect(file.controller).toBeUndefined();
    expect(file.resources.hfsshpc?.elastic).toMatchObject({ returnAfter: '10m', linger: '2m', maxStep: 96 });
  });

  it('is the same with its resources beside it as with its resources in place', async () => {
    const apart = await load(fullSite, fullResources);
    const inPlace = await load(fullSite.replace('resources: resources.yaml\n', fullResources));
    expect(inPlace).toEqual(apart);
  });
});

describe('the digest of a policy', () => {
  it('is the SHA-256 of its JSON with sorted keys', async () => {
    // printf '{"resources":[],"site":"austin"}' | sha256sum
    const digest = '776895e9237685ced534640845450b8ee4fdfb5aabffdefa265b980a741f2d09';
    const site = 'site: austin\nproviders: []\nresources: { aa_r: { shared: true, total: 4 } }\n';
    expect((await load(site)).policyDigest).toBe(digest);
  });

  it('does not change with the order of what is written, or with a default that is written out', async () => {
    const { policyDigest } = await load(soundSite);
    const swapped = soundSite.replace(
      'maxBorrowed: 96\n      returnAfter: 10m',
      'returnAfter: 600s\n      maxBorrowed: 96',
    );
    expect((await load(swapped)).policyDigest).toBe(policyDigest);
    expect((await load(soundSite.replace('maxBorrowed: 96', 'maxBorrowed: 96\n      headroom: 0'))).policyDigest).toBe(
      policyDigest,
    );
  });

  it('changes with the policy', async () => {
    const { policyDigest } = await load(soundSite);
    expect((await load(soundSite.replace('total: 40', 'total: 41'))).policyDigest).not.toBe(policyDigest);
  });
});

describe('the faults of a site file', () => {
  it('are found in one go, whatever else is wrong, in the order of file, line and column', async () => {
    const site = `${soundSite
      .replace(/resources:\n(.|\n)*/, '')
      .replace('block: 1', 'block: 7')
      .replace('site:', 'sight:')}resources: resources.yaml\n`;
    const resources =
      'resources:\n  hfsshpc: { shared: false, elastic: { providers: [bust], maxBorrowed: x } }\nowner: me\n';
    expect(await faultLines({ 'site.yaml': site, 'resources.yaml': resources })).toEqual([
      'resources.yaml:2:12  resources.hfsshpc.total: found nothing, expected a whole number',
      'resources.yaml:2:22  resources.hfsshpc.shared: found false, expected true, because the resource is elastic',
      'resources.yaml:2:52  resources.hfsshpc.elastic.providers[0]: found "bust", expected the name of a provider: burst (did you mean this?)',
      'resources.yaml:2:72  resources.hfsshpc.elastic.maxBorrowed: found "x", expected a whole number',
      'resources.yaml:3:1  owner: found an unknown key, expected none',
      'site.yaml:1:1  site: found nothing, expected a text',
      'site.yaml:1:1  sight: found an unknown key, expected one of site, controller, cluster, allowAddresses, deploy',
      'site.yaml:8:16  providers[0].offers.hfsshpc.block: found 7, expected a divisor of the maximum, 96',
    ]);
  });

  it('are found in the site file where its resources file is no YAML', async () => {
    const site = `${soundSite.replace(/resources:\n(.|\n)*/, '').replace('block: 1', 'block: 7')}resources: resources.yaml\n`;
    expect(await faultLines({ 'site.yaml': site, 'resources.yaml': 'resources: {' })).toEqual([
      'resources.yaml:1:13  found "Flow map in block collection must be sufficiently indented and end with a }", expected one valid YAML document',
      'site.yaml:8:16  providers[0].offers.hfsshpc.block: found 7, expected a divisor of the maximum, 96',
    ]);
  });

  it('are all in the message of the error', async () => {
    const error: unknown = await load('site: a b\nproviders: []\nresources: 4\n').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(FileFaults);
    expect(String(error)).toMatch(
      /^FileFaults: reading the site file .*site.yaml: mend 2 faults\n.*:1:7 {2}site: found "a b".*\n.*:3:12 {2}resources: found 4/,
    );
  });
});
