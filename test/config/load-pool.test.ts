import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { FileFaults, formatFault } from '../../shared/config/fault.ts';
import { loadPoolFile } from '../../shared/config/load-pool.ts';
import { newParty, type Party } from '../adapters/signing/party.ts';
import { siteFolder } from './site-folder.ts';

const soundPool = `pool: burst
offers:
  hfsshpc: { capacity: 128, maximum: 96, block: 8, minimumHold: 1h, lease: 8h, costPerTokenHour: 0.3 }
  aa_r: { capacity: 4, minimumHold: 90s, costPerTokenHour: 4 }
sites:
  austin:
    keys: austin.json
    account: '111122223333'
    externalId: burst-austin
    maximum: { hfsshpc: 64 }
  munich: { keys: munich.json, account: '444455556666', externalId: burst-munich }
operators: desk.json
`;

let austin: Party;
let munich: Party;
let desk: Party;

beforeAll(async () => {
  austin = await newParty('site', 'austin');
  munich = await newParty('site', 'munich');
  desk = await newParty('operator', 'licence-desk');
});

const listOf = (...parties: Party[]): string => JSON.stringify({ keys: parties.map(({ entry }) => entry) });

async function poolFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await siteFolder({
    'pool.yaml': soundPool,
    'austin.json': listOf(austin),
    'munich.json': listOf(munich),
    'desk.json': listOf(desk),
    ...files,
  });
  return join(folder, 'pool.yaml');
}

async function faultsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const path = await poolFolder(files);
  return loadPoolFile(path).then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof FileFaults)) throw error;
      expect(error.message).toContain(`reading the pool file ${path}: mend`);
      return error.faults.map((fault) => formatFault({ ...fault, file: basename(fault.file) }));
    },
  );
}

describe('a pool file', () => {
  it('says what is lent on which terms, to whom, and who may call', async () => {
    const pool = await loadPoolFile(await poolFolder());
    const terms = { partialReturns: true, block: 1 };
    expect(pool).toEqual({
      name: 'burst',
      offers: [
        { resource: 'aa_r', ...terms, capacity: 4, maximum: 4, minimumHoldSeconds: 90, costPerTokenHour: 4 },
        {
          resource: 'hfsshpc',
          ...terms,
          capacity: 128,
          maximum: 96,
          block: 8,
          minimumHoldSeconds: 3600,
          leaseSeconds: 28_800,
          costPerTokenHour: 0.3,
        },
      ],
      sites: [
        { site: 'austin', account: '111122223333', externalId: 'burst-austin', maximum: { hfsshpc: 64 } },
        { site: 'munich', account: '444455556666', externalId: 'burst-munich', maximum: {} },
      ],
      keys: { keys: [austin.entry, munich.entry, desk.entry] },
      deploy: { logRetentionDays: 30, tags: {} },
    });
  });

  it('of the examples is sound', async () => {
    expect((await loadPoolFile('pools/burst.yaml')).sites.map(({ site }) => site)).toEqual(['austin', 'munich']);
  });

  it('that is not there is a fault', async () => {
    await expect(loadPoolFile('/nowhere/pool.yaml')).rejects.toThrow('/nowhere/pool.yaml:1:1  found no such file');
  });
});

describe('what is wrong in a pool file is named with its place:', () => {
  it.each<[string, string, string, string]>([
    ['an unknown key', 'operators:', 'operator:', '12:1  operator: found an unknown key, expected operators'],
    [
      'an account without quotes',
      "'111122223333'",
      '111122223333',
      '8:14  sites.austin.account: found 111122223333, expected ',
    ],
    [
      'an external id that AWS takes not',
      'burst-austin',
      '"burst austin"',
      '9:17  sites.austin.externalId: found "burst austin"',
    ],
    [
      'an external id of two sites',
      'burst-munich',
      'burst-austin',
      '11:69  sites.munich.externalId: found "burst-austin", expected another than that of austin',
    ],
    [
      'a maximum of what is not offered',
      '{ hfsshpc: 64 }',
      '{ hfss: 64 }',
      '10:16  sites.austin.maximum.hfss: found a resource that the pool does not offer',
    ],
    [
      'a maximum above the capacity',
      '{ hfsshpc: 64 }',
      '{ hfsshpc: 129 }',
      '10:25  sites.austin.maximum.hfsshpc: found 129, expected at most the capacity, 128',
    ],
    [
      'a block that does not fit',
      'block: 8',
      'block: 7',
      '3:49  offers.hfsshpc.block: found 7, expected a divisor of the maximum, 96',
    ],
    ['a hold that is no duration', '90s', '90', '4:37  offers.aa_r.minimumHold: found 90'],
  ])('%s', async (_, written, instead, fault) => {
    expect(soundPool).toContain(written);
    expect(await faultsOf({ 'pool.yaml': soundPool.replace(written, instead) })).toEqual([
      expect.stringContaining(`pool.yaml:${fault}`),
    ]);
  });
});

describe('the keys of a site', () => {
  it.each<[string, () => string, string]>([
    ['speak for another site', () => listOf(munich), 'which holds a key of the role site of munich'],
    ['have another role', () => listOf(desk), 'which holds a key of the role operator of licence-desk'],
    ['are private', () => JSON.stringify({ keys: [{ ...austin.entry, jwk: austin.privateJwk }] }), 'private key'],
    ['are no list', () => '{}', 'which is no key list'],
    ['are no JSON', () => 'x', 'which is not JSON'],
  ])('are refused when they %s', async (_, list, fault) => {
    const [found = '', ...more] = await faultsOf({ 'austin.json': list() });
    expect(more).toEqual([]);
    expect(found).toContain('pool.yaml:7:11  sites.austin.keys: found "austin.json", ');
    expect(found).toContain(fault);
    expect(found).toContain('expected public keys of the role site of austin and no others');
    expect(found).not.toContain(austin.privateJwk.d);
  });

  it('are a fault when their file is not there', async () => {
    expect(await faultsOf({ 'pool.yaml': soundPool.replace('munich.json', 'none.json') })).toEqual([
      'pool.yaml:11:19  sites.munich.keys: found "none.json", no such file, expected public keys of the role site of munich and no others',
    ]);
  });

  it('are refused when two sites share one', async () => {
    const shared = { ...austin, entry: { ...austin.entry, subject: 'munich' } };
    const [found] = await faultsOf({ 'munich.json': listOf(shared) });
    expect(found).toContain('sites: found files that share a key');
  });
});
