import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { signCall } from '../../shared/adapters/signing/call-token.ts';
import { problem } from '../../shared/contracts/common.ts';
import { description, grant, grantList, renewAnswer, returnAnswer } from '../../shared/contracts/provider.ts';
import { MemoryPoolStore } from '../../shared/pool/memory-store.ts';
import { newParty, type Party } from '../adapters/signing/party.ts';
import { clientOf, servePool } from './served-pool.ts';
import { anOffer, resource } from './support.ts';

const ask = { site: 'munich', resource, tokens: 16 };

let munich: Party;
let austin: Party;
let operator: Party;
let parties: Party[];
let served: Awaited<ReturnType<typeof servePool>>;
let refusals: unknown[];

beforeAll(async () => {
  munich = await newParty('site', 'munich');
  austin = await newParty('site', 'austin');
  operator = await newParty('operator', 'licence-desk');
  parties = [munich, austin, operator];
});

beforeEach(async () => {
  refusals = [];
  const log = {
    info: () => undefined,
    alarm: () => undefined,
    warn: (_: string, fields?: object) => refusals.push(fields),
  };
  served = await servePool(parties, { offers: [anOffer({ leaseSeconds: 600, minimumHoldSeconds: 60 })], log });
});

function call(method: string, path: string, json?: unknown, party = munich) {
  return clientOf(party).request({ method, url: served.url + path, json });
}

/** A call as `fetch` makes it, to send what no client of ours would. */
async function send(method: string, path: string, body: string, headers: Record<string, string> = {}) {
  const url = served.url + path;
  const token = await signCall({ key: munich.key, subject: 'munich', audience: 'burst', method, url, body });
  const authorization = `Bearer ${token}`;
  return fetch(url, { method, ...(body && { body }), headers: { authorization, ...headers } });
}

const refusal = problem.extend({ retryAfterSeconds: z.number().optional() });

async function problemOf(answer: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await answer;
  const parsed = refusal.parse(body);
  expect(parsed.status).toBe(status);
  return parsed;
}

describe('the contract', () => {
  it('describes the pool', async () => {
    const { status, body } = await call('GET', '/v1/describe');
    expect(status).toBe(200);
    const { offers, name } = description.strict().parse(body);
    expect(name).toBe('burst');
    expect(offers).toMatchObject([{ resource, maximum: 64, leaseSeconds: 600 }]);
    expect(JSON.stringify(body)).not.toContain('capacity');
  });

  it('grants, and answers the same to the same id', async () => {
    const first = await call('PUT', '/v1/grants/g-1', ask);
    expect(first.status).toBe(200);
    expect(grant.parse(first.body)).toEqual(first.body);
    expect(first.body).toMatchObject({ id: 'g-1', state: 'granted', site: 'munich', tokens: 16 });
    expect(await call('PUT', '/v1/grants/g-1', ask)).toEqual(first);
    expect(await call('GET', '/v1/grants/g-1')).toEqual(first);
  });

  it('refuses with a reason and a time to wait, as an answer and not as a problem', async () => {
    await call('PUT', '/v1/grants/theirs', { ...ask, site: 'austin', tokens: 64 }, austin);
    const { status, body } = await call('PUT', '/v1/grants/g-1', ask);
    expect([status, grant.parse(body)]).toEqual([
      200,
      expect.objectContaining({ state: 'refused', retryAfterSeconds: 60 }),
    ]);
  });

  it('lists the grants of the site', async () => {
    await call('PUT', '/v1/grants/g-1', ask);
    await call('PUT', '/v1/grants/theirs', { ...ask, site: 'austin' }, austin);
    const { status, body } = await call('GET', '/v1/grants?site=munich');
    expect(status).toBe(200);
    expect(grantList.parse(body)).toMatchObject({ site: 'munich', grants: [{ id: 'g-1' }] });
  });

  it('takes back, and says how long the minimum hold keeps a grant', async () => {
    await call('PUT', '/v1/grants/g-1', ask);
    const back = () => call('POST', '/v1/grants/g-1/return', { returnId: 'r', tokens: 8 });
    expect(await problemOf(back())).toMatchObject({ status: 409, type: 'minimum-hold', retryAfterSeconds: 60 });
    served.clock.pass(60);
    const { status, body } = await back();
    expect([status, returnAnswer.parse(body)]).toEqual([200, { id: 'g-1', returnId: 'r', tokens: 8 }]);
    expect((await back()).body).toEqual(body);
  });

  it('takes back what it never lent', async () => {
    const { status, body } = await call('POST', '/v1/grants/never/return', { returnId: 'r', tokens: 8 });
    expect([status, body]).toEqual([200, { id: 'never', returnId: 'r', tokens: 0 }]);
  });

  it('renews', async () => {
    await call('PUT', '/v1/grants/g-1', ask);
    served.clock.pass(300);
    const { status, body } = await call('POST', '/v1/grants/g-1/renew');
    expect([status, renewAnswer.parse(body)]).toEqual([200, { id: 'g-1', leaseSeconds: 600 }]);
  });

  it('lets the operator recall', async () => {
    await call('PUT', '/v1/grants/g-1', ask);
    const { status, body } = await call('POST', '/v1/grants/g-1/recall', { withinSeconds: 90 }, operator);
    expect([status, grant.parse(body)]).toEqual([200, expect.objectContaining({ recalled: { withinSeconds: 90 } })]);
    expect((await call('GET', '/v1/grants/g-1')).body).toEqual(body);
  });

  it('takes ids with every character that an id may have', async () => {
    const id = 'a_b.c:d@e+f-g';
    const { body } = await call('PUT', `/v1/grants/${encodeURIComponent(id)}`, ask);
    expect(body).toMatchObject({ id, state: 'granted' });
    expect((await call('GET', `/v1/grants/${id}`)).body).toEqual(body);
  });

  it('says that it is well to anybody', async () => {
    expect((await fetch(`${served.url}/health`)).status).toBe(200);
  });
});

describe('a caller', () => {
  it('is refused and noted without a token, and nothing changes', async () => {
    const answer = await fetch(`${served.url}/v1/grants/g-1`, { method: 'PUT', body: JSON.stringify(ask) });
    expect(answer.status).toBe(401);
    expect(refusals).toMatchObject([{ problem: { detail: expect.stringContaining('there is no call token') } }]);
    expect(await served.pool.list('munich')).toEqual([]);
  });

  it('is refused with a key that is not listed', async () => {
    const stranger = await newParty('site', 'munich');
    expect(await problemOf(call('PUT', '/v1/grants/g-1', ask, stranger))).toMatchObject({ status: 401 });
    expect(await served.pool.list('munich')).toEqual([]);
  });

  it('is refused when it repeats a call, however often', async () => {
    const url = `${served.url}/v1/grants/g-1`;
    const body = JSON.stringify(ask);
    const token = await signCall({ key: munich.key, subject: 'munich', audience: 'burst', method: 'PUT', url, body });
    const again = () => fetch(url, { method: 'PUT', body, headers: { authorization: `Bearer ${token}` } });
    expect([(await again()).status, (await again()).status, (await again()).status]).toEqual([200, 401, 401]);
  });

  it.each<[string, string, unknown]>([
    ['PUT', '/v1/grants/g-2', { ...ask }],
    ['GET', '/v1/grants?site=munich', undefined],
    ['GET', '/v1/grants', undefined],
  ])('may not speak for another site: %s %s', async (method, path, json) => {
    expect(await problemOf(call(method, path, json, austin))).toMatchObject({ status: 403, type: 'wrong-site' });
    expect(refusals).toMatchObject([{ caller: { subject: 'austin' }, problem: { type: 'wrong-site' } }]);
  });

  it.each<[string, string, unknown]>([
    ['GET', '', undefined],
    ['POST', '/return', { returnId: 'r', tokens: 16 }],
    ['POST', '/renew', undefined],
  ])('finds nothing under the id of another site: %s%s', async (method, path, json) => {
    await call('PUT', '/v1/grants/g-1', ask);
    const { status, detail } = await problemOf(call(method, `/v1/grants/g-1${path}`, json, austin));
    expect([status, detail]).toEqual([404, expect.not.stringContaining('munich')]);
    expect(await served.pool.list('munich')).toMatchObject([{ id: 'g-1', tokens: 16 }]);
  });

  it('learns of a taken id no more than that it is taken', async () => {
    await call('PUT', '/v1/grants/g-1', ask);
    const { status, detail } = await problemOf(call('PUT', '/v1/grants/g-1', { ...ask, site: 'austin' }, austin));
    expect([status, detail]).toEqual([409, expect.not.stringContaining('munich')]);
  });

  it.each<[string, string, unknown, () => Party]>([
    ['a site may not recall', '/v1/grants/g-1/recall', {}, () => munich],
    ['an operator may not renew', '/v1/grants/g-1/renew', undefined, () => operator],
    ['an operator may not give back', '/v1/grants/g-1/return', { returnId: 'r', tokens: 16 }, () => operator],
  ])('has a role: %s', async (_, path, json, party) => {
    await call('PUT', '/v1/grants/g-1', ask);
    expect(await problemOf(call('POST', path, json, party()))).toMatchObject({ status: 403, type: 'wrong-role' });
  });
});

describe('a request that makes no sense', () => {
  it.each<[string, string, string, string, number]>([
    ['is not JSON', 'PUT', '/v1/grants/g-1', '{"site":', 400],
    ['has no body', 'PUT', '/v1/grants/g-1', '', 400],
    ['is of another kind', 'PUT', '/v1/grants/g-1', '[1,2]', 400],
    ['asks for nothing', 'PUT', '/v1/grants/g-1', JSON.stringify({ ...ask, tokens: 0 }), 400],
    ['asks for parts of tokens', 'PUT', '/v1/grants/g-1', JSON.stringify({ ...ask, tokens: 1.5 }), 400],
    ['asks for more than there can be', 'PUT', '/v1/grants/g-1', JSON.stringify({ ...ask, tokens: 1e12 }), 400],
    ['has a resource that is no name', 'PUT', '/v1/grants/g-1', JSON.stringify({ ...ask, resource: 'a#b' }), 400],
    ['asks for what is not lent', 'PUT', '/v1/grants/g-1', JSON.stringify({ ...ask, resource: 'vcs' }), 404],
    ['has an id that is none', 'PUT', '/v1/grants/a%23b', JSON.stringify(ask), 400],
    ['has an id with a slash in it', 'PUT', '/v1/grants/a%2Fb', JSON.stringify(ask), 400],
    ['has an id that is badly encoded', 'PUT', '/v1/grants/a%zz', JSON.stringify(ask), 400],
    ['has an id that is too long', 'PUT', `/v1/grants/${'a'.repeat(257)}`, JSON.stringify(ask), 400],
    ['has no return id', 'POST', '/v1/grants/g-1/return', JSON.stringify({ tokens: 8 }), 400],
    ['goes to a path that does not exist', 'POST', '/v1/grants/g-1/keep', '', 404],
  ])('is answered with a problem when it %s', async (_, method, path, body, status) => {
    const answer = await send(method, path, body);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(
      await problemOf(answer.json().then((json: unknown) => ({ status: answer.status, body: json }))),
    ).toMatchObject({ status });
    expect(await served.pool.list('munich')).toEqual([]);
  });
});

describe('a pool whose store fails', () => {
  it('answers 503 when others always write first, so that nobody takes it for a refusal', async () => {
    const store = new MemoryPoolStore();
    store.writeShelf = async () => 'lost';
    served = await servePool(parties, { store });
    expect(await problemOf(call('PUT', '/v1/grants/g-1', ask))).toMatchObject({ status: 503, type: 'contended' });
  });
});
