import { describe, expect, it } from 'vitest';
import { maxResources } from '../../shared/contracts/controller.ts';
import { eachIsFound, faultLines, soundSite } from './site-folder.ts';

describe('a controller that fetches its calls', () => {
  eachIsFound([
    [
      'has no address',
      'providers:\n',
      'controller: { delivery: pull, url: https://controller.example.com }\nproviders:\n',
      '2:31  controller.url: found an address, expected none, as delivery is pull',
    ],
  ]);
});

describe('a provider', () => {
  eachIsFound([
    [
      'has a name of its own',
      'resources:\n',
      '  - name: burst\n    kind: pool\n    url: https://pool.example.com\nresources:\n',
      '11:11  providers[1].name: found "burst", expected a name that no other provider has',
    ],
    [
      'is somewhere, or can be started',
      'resources:\n',
      '  - name: vendor\n    kind: pool\nresources:\n',
      '11:5  providers[1]: found neither url nor offers, expected at least one of them',
    ],
    [
      'lends in blocks that divide the most it lends',
      'block: 1',
      'block: 36',
      '8:16  providers[0].offers.hfsshpc.block: found 36, expected a divisor of the maximum, 96',
    ],
    [
      'lends in blocks no larger than the most it lends',
      'block: 1',
      'maximum: 4\n        block: 8',
      '9:16  providers[0].offers.hfsshpc.block: found 8, expected a divisor of the maximum, 4',
    ],
    [
      'lends no more than it has',
      'block: 1',
      'maximum: 97',
      '8:18  providers[0].offers.hfsshpc.maximum: found 97, expected at most the capacity, 96',
    ],
    [
      'lends no resource that is fixed',
      'costPerTokenHour: 0.3\n',
      'costPerTokenHour: 0.3\n      aa_r: { capacity: 4, minimumHold: 1h, costPerTokenHour: 4 }\n',
      '11:7  providers[0].offers.aa_r: found a resource that is not elastic, expected an elastic resource: hfsshpc',
    ],
    [
      'lends no resource that the site lacks',
      'costPerTokenHour: 0.3\n',
      'costPerTokenHour: 0.3\n      hfsshcp: { capacity: 4, minimumHold: 1h, costPerTokenHour: 4 }\n',
      '11:7  providers[0].offers.hfsshcp: found a resource that the site lacks, expected an elastic resource: hfsshpc (did you mean this?)',
    ],
  ]);
});

describe('an address that is called', () => {
  const at = (url: string) => `providers:\n  - name: burst\n    url: '${url}'\n`;
  const written = 'providers:\n  - name: burst\n';

  eachIsFound([
    [
      'is not the metadata service',
      written,
      at('http://169.254.169.254/latest'),
      '4:10  providers[0].url: found 169.254.169.254, which is link-local, expected an address of another host, or it in allowAddresses',
    ],
    [
      'is not the metadata service in disguise',
      written,
      at('http://[::ffff:a9fe:a9fe]'),
      '4:10  providers[0].url: found ::ffff:a9fe:a9fe, which is link-local, expected an address of another host, or it in allowAddresses',
    ],
    [
      'is not link-local for the controller either',
      'providers:\n',
      "controller: { url: 'http://[fe80::1]:8180' }\nproviders:\n",
      '2:20  controller.url: found fe80::1, which is link-local, expected an address of another host, or it in allowAddresses',
    ],
    [
      'holds no password, and the fault does not show it',
      written,
      at('https://me:secret@pool.example.com'),
      '4:10  providers[0].url: found a user, a password, a query or a fragment, expected scheme, host, port and path alone, as each call is signed',
    ],
    [
      'holds no query, where another secret could be',
      written,
      at('https://pool.example.com/?token=secret'),
      '4:10  providers[0].url: found a user, a password, a query or a fragment, expected scheme, host, port and path alone, as each call is signed',
    ],
    [
      'is allowed by addresses alone',
      'providers:\n',
      'allowAddresses: [localhost]\nproviders:\n',
      '2:18  allowAddresses[0]: found "localhost", expected an IP address',
    ],
  ]);

  it.each(['169.254.10.5', 'fe80::5'])('may be link-local where it is allowed by name: %s', async (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    const site = soundSite.replace(written, `allowAddresses: ['${address}']\n${at(`http://${host}`)}`);
    expect(await faultLines({ 'site.yaml': site })).toEqual([]);
  });

  it.each(['http://127.0.0.1:8180', 'http://localhost:8180', 'http://10.1.2.3', 'https://pool.example.com/v2'])(
    'may be on this host, in a private network or elsewhere: %s',
    async (url) => {
      expect(await faultLines({ 'site.yaml': soundSite.replace(written, at(url)) })).toEqual([]);
    },
  );
});

describe('an elastic resource', () => {
  eachIsFound([
    [
      'is shared',
      'true\n    total: 40',
      'false\n    total: 40',
      '13:13  resources.hfsshpc.shared: found false, expected true, because the resource is elastic',
    ],
    [
      'borrows from a provider that exists',
      '[burst]',
      '[bursts]',
      '16:19  resources.hfsshpc.elastic.providers[0]: found "bursts", expected the name of a provider: burst (did you mean this?)',
    ],
    [
      'names a provider once',
      '[burst]',
      '[burst, burst]',
      '16:26  resources.hfsshpc.elastic.providers[1]: found "burst", expected each provider once',
    ],
    [
      'borrows from a provider that offers it',
      'total: 4\n',
      'total: 4\n    elastic: { providers: [burst], maxBorrowed: 4 }\n',
      '22:28  resources.aa_r.elastic.providers[0]: found burst, which does not offer aa_r, expected a provider that offers it',
    ],
    [
      'can ask for a whole block at a time',
      'capacity: 96\n        block: 1\n',
      'capacity: 128\n        block: 128\n',
      '16:19  resources.hfsshpc.elastic.providers[0]: found burst, which lends blocks of 128, expected a block of at most maxStep, 96',
    ],
    [
      'asks for no more at a time than it may borrow',
      'maxBorrowed: 96\n',
      'maxBorrowed: 96\n      maxStep: 97\n',
      '18:16  resources.hfsshpc.elastic.maxStep: found 97, expected from 1 to maxBorrowed, 96',
    ],
    [
      'asks for something where it may borrow',
      'maxBorrowed: 96\n',
      'maxBorrowed: 96\n      maxStep: 0\n',
      '18:16  resources.hfsshpc.elastic.maxStep: found 0, expected from 1 to maxBorrowed, 96',
    ],
    [
      'never has a total that the contracts do not carry',
      'maxBorrowed: 96',
      'maxBorrowed: 9999961',
      '17:20  resources.hfsshpc.elastic.maxBorrowed: found 9999961, expected at most 10000000 together with the total, 40',
    ],
  ]);

  it('may be kept from borrowing', async () => {
    expect(await faultLines({ 'site.yaml': soundSite.replace('maxBorrowed: 96', 'maxBorrowed: 0') })).toEqual([]);
  });

  it('may have a provider whose offers are unknown here', async () => {
    const elsewhere = 'providers:\n  - { name: burst, kind: pool, url: https://pool.example.com }\nresources:\n';
    const site = soundSite.replace(/providers:\n(.|\n)*resources:\n/, elsewhere);
    expect(await faultLines({ 'site.yaml': site })).toEqual([]);
  });
});

describe('a site', () => {
  const siteOf = (count: number) =>
    `site: large\nproviders: []\nresources:\n${Array.from({ length: count }, (_, index) => `  r${index}: { shared: true, total: 1 }\n`).join('')}`;

  it('has as many resources as the contracts carry', async () => {
    expect(await faultLines({ 'site.yaml': siteOf(maxResources) })).toEqual([]);
    expect(await faultLines({ 'site.yaml': siteOf(maxResources + 1) })).toEqual([
      `site.yaml:4:3  resources: found ${maxResources + 1} resources, expected at most ${maxResources}`,
    ]);
  });
});
