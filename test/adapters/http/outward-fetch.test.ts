import { beforeAll, describe, expect, it } from 'vitest';
import { HttpClient, HttpError } from '../../../shared/adapters/http/client.ts';
import { inwardKind, type AddressRules } from '../../../shared/adapters/http/inward-address.ts';
import { outwardFetch } from '../../../shared/adapters/http/outward-fetch.ts';
import { newParty, type Party } from '../signing/party.ts';
import { rawServer } from './raw-server.ts';

let party: Party;

beforeAll(async () => {
  party = await newParty('site', 'munich');
});

const deployed: AddressRules = { loopback: false, allowed: [] };
const onOneMachine: AddressRules = { loopback: true, allowed: [] };

/** What a call comes to under the rules: the answer's status, or the error. */
function outcome(url: string, rules: AddressRules, limits: { timeoutMilliseconds?: number } = {}): Promise<unknown> {
  const transport = outwardFetch(rules);
  const client = new HttpClient({ key: party.key, subject: 'munich', audience: 'pool', transport, ...limits });
  return client.request({ method: 'GET', url }).then(
    ({ status }) => status,
    (error: unknown) => error,
  );
}

/** A server that counts its visits. */
async function counting(): Promise<{ url: string; port: string; visits: () => number }> {
  let visits = 0;
  const url = await rawServer((_, response) => {
    visits += 1;
    response.writeHead(204).end();
  });
  return { url, port: new URL(url).port, visits: () => visits };
}

describe('an address that points inward', () => {
  it.each([
    ['169.254.169.254', 'link-local'],
    ['169.254.0.1', 'link-local'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fd00:ec2::254', 'an address of the platform'],
    ['0.0.0.0', 'no address of a host'],
    ['::', 'no address of a host'],
  ])('is refused everywhere: %s is %s', (address, kind) => {
    expect([inwardKind(address, deployed), inwardKind(address, onOneMachine)]).toEqual([kind, kind]);
  });

  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])(
    'is refused where the site is deployed, and right on one machine: %s',
    (address) => {
      expect([inwardKind(address, deployed), inwardKind(address, onOneMachine)]).toEqual(['loopback', undefined]);
    },
  );

  it.each(['10.1.2.3', '172.16.0.1', '192.168.1.1', 'fd12::1', '203.0.113.7', '2001:db8::1', '169.253.1.1', 'fec0::1'])(
    'is none of them in a private network or outside: %s',
    (address) => {
      expect(inwardKind(address, deployed)).toBeUndefined();
    },
  );

  it('is called when it is allowed by name, and no other is', () => {
    const rules = { loopback: false, allowed: ['169.254.10.5', 'fe80::5'] };
    expect(['169.254.10.5', 'fe80:0::5', '169.254.10.6'].map((address) => inwardKind(address, rules))).toEqual([
      undefined,
      undefined,
      'link-local',
    ]);
  });
});

describe('a call', () => {
  it.each(['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f000001'])(
    'is not sent to loopback where the site is deployed, however it is written: %s',
    async (host) => {
      const { port, visits } = await counting();
      expect(await outcome(`http://${host}:${port}/`, deployed)).toMatchObject({ name: 'HttpError', kind: 'inward' });
      expect(visits()).toBe(0);
    },
  );

  it('says what the name leads to, and how to allow it', async () => {
    const error = await outcome('http://localhost:1/v1/describe', deployed);
    expect(String(error)).toMatch(
      /calling GET http:\/\/localhost:1\/v1\/describe: not sent, as localhost leads to (127\.0\.0\.1|::1), which is loopback; .* allowAddresses/,
    );
  });

  it('is not sent to the metadata address, by number or under IPv6', async () => {
    for (const host of ['169.254.169.254', '[::ffff:a9fe:a9fe]', '2852039166', '[fd00:ec2::254]']) {
      expect(await outcome(`http://${host}/`, onOneMachine)).toMatchObject({ kind: 'inward' });
    }
  });

  it('is sent on one machine, and where loopback is allowed by name', async () => {
    const { url, visits } = await counting();
    expect(await outcome(url, onOneMachine)).toBe(204);
    expect(await outcome(url, { loopback: false, allowed: ['127.0.0.1'] })).toBe(204);
    expect(visits()).toBe(2);
  });

  it('is unreachable where the name leads nowhere', async () => {
    const error = await outcome('http://nowhere.invalid/', deployed, { timeoutMilliseconds: 2_000 });
    expect(error).toBeInstanceOf(HttpError);
    expect(error).not.toMatchObject({ kind: 'inward' });
  });
});
