import { beforeAll, describe, expect, it } from 'vitest';
import { ControllerError } from '../../../shared/adapters/controller/controller-error.ts';
import { HttpController, HttpTotalReceiver } from '../../../shared/adapters/controller/http-controller.ts';
import { maxSeconds, maxTokens } from '../../../shared/contracts/common.ts';
import { ManualClock } from '../../onprem/manual-clock.ts';
import { clientOf, newParties, RunningSite, type Parties } from '../../onprem/running-site.ts';
import { configOf, minute, start, update } from '../../onprem/support.ts';
import { rawServer } from '../http/raw-server.ts';

let parties: Parties;

beforeAll(async () => {
  parties = await newParties();
});

/** Our clock is an hour ahead of the controller's. */
function newController(url: string, over: { site?: string; holder?: string } = {}): HttpController {
  const clock = new ManualClock();
  clock.set(start + 60 * minute);
  return new HttpController({
    client: clientOf(parties.site),
    url,
    site: 'munich',
    holder: 'blue',
    ttlSeconds: 60,
    clock,
    ...over,
  });
}

function newReceiver(url: string, caller = parties.provisioner): HttpTotalReceiver {
  return new HttpTotalReceiver({ client: clientOf(caller), key: parties.provisioner.key, url, site: 'munich' });
}

/** A server that gives the same answer to every call. */
function answering(status: number, body: unknown, contentType = 'application/json'): Promise<string> {
  return rawServer((_, response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const nobody = 'http://127.0.0.1:1';
const munich = { site: 'munich', controllerEpoch: 1, at: '2026-03-02T09:00:00Z', resources: [], waiting: [] };
const problem = { type: 'about:blank', title: 'No', status: 400 };

describe('observing a site', () => {
  it('gives what the controller sees, received by our clock and aged by its own', async () => {
    const site = await RunningSite.start(parties);
    const count = { inUse: 3, issued: 20, source: 'lmstat', at: new Date(start).toISOString() };
    await site.call('reporter', 'PUT', '/v1/shared-resources/hfsshpc/observed', count);
    await site.call('worker', 'POST', '/v1/jobs', [{ id: 'a', needs: { hfsshpc: 12 }, runSeconds: 60 }]);
    site.clock.set(start + minute);

    expect(await newController(site.url).observe(60)).toEqual({
      receivedAt: start + 60 * minute,
      resources: [
        {
          name: 'hfsshpc',
          total: 10,
          epoch: 0,
          sequence: 0,
          inUse: 0,
          observed: { inUse: 3, issued: 20, ageSeconds: 60 },
          recentPeaks: { bucketSeconds: 60, needs: [15, 15] },
        },
      ],
      waiting: [{ jobs: 1, needs: { hfsshpc: 12 }, waitingSeconds: 60 }],
    });
  });

  it('works where the configured address ends with a slash', async () => {
    const site = await RunningSite.start(parties);
    expect(await newController(`${site.url}/`).observe(60)).toMatchObject({ resources: [{ name: 'hfsshpc' }] });
    expect(await newReceiver(`${site.url}/`).setTotal(update())).toMatchObject({ outcome: 'applied' });
  });

  it('goes on when jobs wait for more tokens, and for longer, than the contract can say', async () => {
    const site = await RunningSite.start(parties, {
      config: { ...configOf(), resources: [{ name: 'hfsshpc', owned: 0, ceiling: maxTokens, elastic: true }] },
    });
    const job = { needs: { hfsshpc: maxTokens }, runSeconds: 60, submit: '1970-01-01T00:00:00Z' };
    await site.call('worker', 'POST', '/v1/jobs', [
      { id: 'a', ...job },
      { id: 'b', ...job },
    ]);
    expect(await newController(site.url).observe(60)).toMatchObject({
      resources: [{ recentPeaks: { needs: [null, maxTokens] } }],
      waiting: [{ jobs: 2, waitingSeconds: maxSeconds }],
    });
  });

  it.each([
    { what: 'nobody answers', server: () => Promise.resolve(nobody), kind: 'unreachable' },
    { what: 'a proxy answers', server: () => answering(502, '<h1>Bad gateway</h1>', 'text/html'), kind: 'unreachable' },
    { what: 'it is refused', server: () => answering(403, { ...problem, status: 403 }), kind: 'refused' },
    { what: 'the answer is empty', server: () => answering(200, ''), kind: 'invalid' },
    { what: 'a part is missing', server: () => answering(200, { ...munich, waiting: undefined }), kind: 'invalid' },
    {
      what: 'a number is impossible',
      server: () => answering(200, { ...munich, controllerEpoch: -1 }),
      kind: 'invalid',
    },
    { what: "it is another site's", server: () => answering(200, { ...munich, site: 'dresden' }), kind: 'foreign' },
  ])('fails when $what', async ({ server, kind }) => {
    const observing = newController(await server()).observe(60);

    await expect(observing).rejects.toThrow(ControllerError);
    await expect(observing).rejects.toMatchObject({ kind });
  });
});

describe('acquiring the lease', () => {
  it('gives the epoch to its holder and names the holder to others', async () => {
    const site = await RunningSite.start(parties);

    expect(await newController(site.url).acquireLease()).toEqual({ held: true, epoch: 1 });
    expect(await newController(site.url, { holder: 'green' }).acquireLease()).toEqual({ held: false, holder: 'blue' });
    site.clock.set(start + minute);
    expect(await newController(site.url, { holder: 'green' }).acquireLease()).toEqual({ held: true, epoch: 2 });
  });

  it.each([
    { what: 'nobody answers', server: () => Promise.resolve(nobody), kind: 'unreachable' },
    { what: 'it is refused', server: () => answering(403, { ...problem, status: 403 }), kind: 'refused' },
    { what: 'it conflicts with no holder named', server: () => answering(409, problem), kind: 'refused' },
    { what: 'no epoch is given', server: () => answering(200, {}), kind: 'invalid' },
  ])('fails when $what', async ({ server, kind }) => {
    await expect(newController(await server()).acquireLease()).rejects.toMatchObject({ kind });
  });
});

describe('pushing a total', () => {
  it('says what is applied', async () => {
    const site = await RunningSite.start(parties, { config: configOf('vcs_runtime@flex1') });
    const expiries = [{ at: start + 60 * minute, tokens: 4 }];
    const pushed = update({ resource: 'vcs_runtime@flex1', expiries });

    expect(await newReceiver(site.url).setTotal(pushed)).toEqual({ outcome: 'applied', total: 20, inUse: 0 });
    site.clock.set(start + 60 * minute);
    expect(await newReceiver(site.url).setTotal(pushed)).toEqual({ outcome: 'applied', total: 16, inUse: 0 });
  });

  it('says why it is not applied', async () => {
    const site = await RunningSite.start(parties);
    const receiver = newReceiver(site.url);
    await receiver.setTotal(update({ sequence: 5 }));
    await site.call('worker', 'POST', '/v1/jobs', [{ id: 'a', needs: { hfsshpc: 16 }, runSeconds: 60 }]);

    expect(await receiver.setTotal(update({ sequence: 4 }))).toEqual({ outcome: 'stale', epoch: 1, sequence: 5 });
    expect(await receiver.setTotal(update({ sequence: 6, borrowed: 0 }))).toEqual({
      outcome: 'below-in-use',
      inUse: 16,
    });
    expect(await receiver.setTotal(update({ resource: 'vcs' }))).toMatchObject({ outcome: 'refused' });
    expect(await newReceiver(site.url, parties.worker).setTotal(update({ sequence: 7 }))).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('needs provisioner'),
    });
  });

  const applied = { name: 'hfsshpc', total: 20, inUse: 0, epoch: 1, sequence: 1 };

  it.each([
    { what: 'nobody answers', server: () => Promise.resolve(nobody) },
    { what: 'a proxy answers', server: () => answering(502, '<h1>Bad gateway</h1>', 'text/html') },
    { what: 'the controller fails', server: () => answering(500, { ...problem, status: 500 }) },
    { what: 'its disk is full', server: () => answering(507, { ...problem, status: 507 }) },
    { what: 'the answer is no JSON object', server: () => answering(200, '[]') },
    { what: 'the answer is for another resource', server: () => answering(200, { ...applied, name: 'solve' }) },
    { what: 'the answer is for another update', server: () => answering(200, { ...applied, sequence: 2 }) },
    { what: 'a refusal is no problem document', server: () => answering(403, {}) },
  ])('does not know whether it is applied when $what', async ({ server }) => {
    const receiver = newReceiver(await server());

    expect(await receiver.setTotal(update())).toMatchObject({ outcome: 'unknown' });
  });
});
