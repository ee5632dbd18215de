import { beforeAll, describe, expect, it } from 'vitest';
import { toTotalDocument } from '../../shared/adapters/controller/messages.ts';
import { signDocument } from '../../shared/adapters/signing/document.ts';
import { roles, type Role } from '../../shared/adapters/signing/keys.ts';
import { leaseGranted, leaseHeld, sharedResources, totalApplied } from '../../shared/contracts/controller.ts';
import type { TotalUpdate } from '../../shared/ports.ts';
import { keyListOf, newParty, type Party } from '../adapters/signing/party.ts';
import { engineKinds, TestTable } from '../adapters/dynamodb/engines.ts';
import { newParties, RunningSite, type Parties } from './running-site.ts';
import { configOf, job, minute, start, update } from './support.ts';

let parties: Parties;
let stranger: Party;

beforeAll(async () => {
  parties = await newParties();
  stranger = await newParty('provisioner', 'munich');
});

/** A job as it is sent. */
function jobRequest(id: string, tokens: number): object {
  const { needs, runSeconds } = job(id, { hfsshpc: tokens });
  return { id, needs, runSeconds };
}

type NewSite = (...args: Parameters<typeof RunningSite.start>) => Promise<RunningSite>;

describe.each<[string, (table: TestTable) => NewSite]>([
  [
    'that is called',
    () =>
      (...site) =>
        RunningSite.start(...site),
  ],
  [
    'that fetches its calls',
    (table) =>
      (...site) =>
        RunningSite.startPulled(table, ...site),
  ],
])('a controller %s', (_how, inTable) => {
  const newSite = inTable(new TestTable(engineKinds[0] ?? 'dynalite'));

  describe('the controller contract', () => {
    it('shows resources, waiting demand and recent peaks', async () => {
      const site = await newSite(parties);
      await site.call('worker', 'POST', '/v1/jobs', [jobRequest('a', 8), jobRequest('b', 8)]);
      await site.call('reporter', 'PUT', '/v1/shared-resources/hfsshpc/observed', {
        inUse: 9,
        issued: 20,
        source: 'lmstat',
        at: '2026-03-02T10:00:00+01:00',
      });
      site.clock.set(start + minute);

      const { status, body } = await site.observe();
      expect(status).toBe(200);
      expect(sharedResources.parse(body)).toEqual({
        site: 'munich',
        controllerEpoch: 1,
        at: '2026-03-02T09:01:00.000Z',
        resources: [
          {
            name: 'hfsshpc',
            total: 10,
            epoch: 0,
            sequence: 0,
            inUse: 8,
            observed: { inUse: 9, issued: 20, at: '2026-03-02T09:00:00.000Z' },
            recentPeaks: { bucketSeconds: 60, needs: [17, 17] },
          },
        ],
        waiting: [{ jobs: 1, needs: { hfsshpc: 8 }, waitingSeconds: 60 }],
      });
    });

    it.each([
      { path: '?peakWindowSeconds=86400', status: 200, buckets: 1_441 },
      { path: '', status: 200, buckets: 61 },
      { path: '?peakWindowSeconds=86401', status: 400, buckets: undefined },
      { path: '?peakWindowSeconds=none', status: 400, buckets: undefined },
    ])('answers a peak window of "$path" with $status', async ({ path, status, buckets }) => {
      const site = await newSite(parties);
      const answer = await site.call('site', 'GET', `/v1/shared-resources${path}`);

      expect(answer.status).toBe(status);
      const { data } = sharedResources.safeParse(answer.body);
      expect(data?.resources[0]?.recentPeaks.needs.length).toBe(buckets);
    });

    it.each<{ method: string; path: string; allowed: Role[] }>([
      { method: 'GET', path: '/v1/shared-resources', allowed: ['site', 'provisioner', 'operator'] },
      { method: 'PUT', path: '/v1/shared-resources/hfsshpc/total', allowed: ['provisioner'] },
      { method: 'PUT', path: '/v1/shared-resources/hfsshpc/observed', allowed: ['reporter'] },
      { method: 'PUT', path: '/v1/provider-leases/one', allowed: ['site', 'provisioner'] },
      { method: 'POST', path: '/v1/jobs', allowed: ['worker'] },
    ])('lets only $allowed call $method $path', async ({ method, path, allowed }) => {
      const site = await newSite(parties);
      const admitted: Role[] = [];
      for (const role of roles) {
        const { status } = await site.call(role, method, path);
        if (status !== 403) admitted.push(role);
      }
      expect(admitted.sort()).toEqual(allowed.sort());
      expect(site.warnings).toHaveLength(roles.length - allowed.length);
    });

    it.each(['site', 'provisioner', 'controller'] as const)(
      'refuses the key of another site that its list holds: %s',
      async (role) => {
        const other = await newParty(role, 'dresden');
        const site = await newSite(parties, { keys: await keyListOf(...Object.values(parties), other) });
        const answer = await site.clientOf(other).request({ method: 'GET', url: `${site.url}/v1/shared-resources` });

        expect(answer).toMatchObject({ status: 403, body: { type: 'wrong-site' } });
        expect(site.warnings).toMatchObject([{ problem: answer.body }]);
      },
    );

    it('answers whether it lives without asking who wants to know', async () => {
      const site = await newSite(parties);
      const [health, resources] = await Promise.all([
        fetch(`${site.url}/health`),
        fetch(`${site.url}/v1/shared-resources`),
      ]);

      expect([health.status, resources.status]).toEqual([200, 401]);
    });

    it('gives a lease, and tells others who holds it', async () => {
      const site = await newSite(parties);
      const path = '/v1/provider-leases/elastic-shared-resources';
      const granted = await site.call('site', 'PUT', path, { holder: 'blue', ttlSeconds: 60 });
      const held = await site.call('site', 'PUT', path, { holder: 'green', ttlSeconds: 60 });

      expect([granted.status, leaseGranted.parse(granted.body)]).toEqual([200, { epoch: 1, expiresInSeconds: 60 }]);
      expect([held.status, leaseHeld.parse(held.body).holder]).toEqual([409, 'blue']);
    });

    it('answers 404 for the count of a resource that it does not have', async () => {
      const site = await newSite(parties);
      const count = { inUse: 1, issued: 2, source: 'lmstat', at: '2026-03-02T09:00:00Z' };
      const { status } = await site.call('reporter', 'PUT', '/v1/shared-resources/vcs/observed', count);

      expect(status).toBe(404);
    });

    it('submits all jobs or none, and names those that can never start', async () => {
      const site = await newSite(parties);
      const unknown = { ...jobRequest('b', 1), needs: { vcs: 1 } };
      const refused = await site.call('worker', 'POST', '/v1/jobs', [jobRequest('a', 1), unknown]);
      const taken = await site.call('worker', 'POST', '/v1/jobs', [jobRequest('a', 1), jobRequest('huge', 31)]);

      expect(refused).toMatchObject({ status: 400, body: { type: 'unknown-resource' } });
      expect(taken).toEqual({ status: 200, body: { submitted: 2, unsatisfiable: ['huge'] } });
    });
  });

  describe('a total update', () => {
    it('is applied, and once more when it comes again', async () => {
      const site = await newSite(parties);
      for (const issuedAt of [start, start + minute]) {
        const { status, body } = await site.putTotal(update({ issuedAt }));
        expect(status).toBe(200);
        expect(totalApplied.parse(body)).toEqual({ name: 'hfsshpc', total: 20, inUse: 0, epoch: 1, sequence: 1 });
      }
    });

    it('is applied to a resource whose name must be escaped in a URL', async () => {
      const site = await newSite(parties, { config: configOf('vcs_runtime@flex1') });

      expect(await site.putTotal(update({ resource: 'vcs_runtime@flex1' }))).toMatchObject({ status: 200 });
    });

    it('is refused below what is in use', async () => {
      const site = await newSite(parties);
      await site.putTotal(update());
      await site.call('worker', 'POST', '/v1/jobs', [jobRequest('a', 16)]);
      const answer = await site.putTotal(update({ borrowed: 5, sequence: 2 }));

      expect(answer).toMatchObject({ status: 409, body: { type: 'below-in-use', inUse: 16 } });
      expect(await site.observe()).toMatchObject({ body: { resources: [{ total: 20, sequence: 1, inUse: 16 }] } });
    });

    it('is stale when a newer one has been accepted, and when its owner has lost the lease', async () => {
      const site = await newSite(parties);
      await site.putTotal(update({ sequence: 5 }));
      expect(await site.putTotal(update({ sequence: 4, borrowed: 0 }))).toMatchObject({
        status: 409,
        body: { type: 'stale', epoch: 1, sequence: 5 },
      });

      for (const holder of ['blue', 'green']) {
        await site.call('site', 'PUT', '/v1/provider-leases/elastic-shared-resources', { holder, ttlSeconds: 1 });
        site.clock.set(site.clock.now() + minute);
      }
      expect(await site.putTotal(update({ sequence: 6 }))).toMatchObject({
        status: 409,
        body: { type: 'stale', epoch: 2, sequence: 5 },
      });
      expect(await site.observe()).toMatchObject({ body: { resources: [{ total: 20, epoch: 1, sequence: 5 }] } });
    });

    it('is refused for a resource that is unknown or not elastic', async () => {
      const config = { ...configOf(), resources: [{ name: 'solve', owned: 1, ceiling: 1, elastic: false }] };
      const site = await newSite(parties, { config });

      expect(await site.putTotal(update({ resource: 'vcs' }))).toMatchObject({ status: 404 });
      expect(await site.putTotal(update({ resource: 'solve' }))).toMatchObject({
        status: 409,
        body: { type: 'not-elastic' },
      });
    });
  });

  describe('a total update that is not proven', () => {
    it.each([
      { what: "called with a worker's key", over: () => ({ caller: parties.worker }), status: 403 },
      { what: "called with the site's reading key", over: () => ({ caller: parties.site }), status: 403 },
      { what: "signed with a worker's key", over: () => ({ signer: parties.worker }), status: 403 },
      { what: "signed with the site's reading key", over: () => ({ signer: parties.site }), status: 403 },
      { what: 'signed with a key that is not listed', over: () => ({ signer: stranger }), status: 401 },
      { what: 'called with a key that is not listed', over: () => ({ caller: stranger }), status: 401 },
      { what: 'made for another site', over: () => ({ site: 'dresden' }), status: 403 },
      { what: 'made for another resource', over: () => ({ resource: 'solve' }), status: 403 },
      { what: 'no signed document', over: () => ({ jws: '{"total":20}' }), status: 401 },
    ])('changes nothing and is logged: $what', async ({ over, status }) => {
      const site = await newSite(parties, { config: configOf('hfsshpc', 'solve') });
      const before = await site.observe();
      const answer = await site.putTotal(update(), over());

      expect(answer.status).toBe(status);
      expect(await site.observe()).toEqual(before);
      expect(site.warnings).toMatchObject([{ problem: answer.body }]);
    });

    it('is refused when it is not sent as a signed document', async () => {
      const site = await newSite(parties);

      expect(await site.putTotal(update(), { contentType: 'application/json' })).toMatchObject({ status: 415 });
    });

    it('is refused when its content was changed', async () => {
      const site = await newSite(parties);
      const jws = await signed({ borrowed: 1 });
      const [header, , signature] = jws.split('.');
      const [, payload] = (await signed({ borrowed: 20 })).split('.');

      const answer = await site.putTotal(update(), { jws: `${header}.${payload}.${signature}` });
      expect(answer).toMatchObject({ status: 401, body: { type: 'bad-signature' } });
    });

    it("is refused when the signer is another site's provisioner, listed or not", async () => {
      const other = await newParty('provisioner', 'dresden');
      const site = await newSite(parties, { keys: await keyListOf(...Object.values(parties), other) });

      expect(await site.putTotal(update(), { signer: other })).toMatchObject({
        status: 403,
        body: { type: 'wrong-signer' },
      });
    });

    it.each([
      { what: 'a total that is not the sum', over: { total: 99 } },
      { what: 'a negative number', over: { owned: -1, borrowed: 1, total: 0 } },
    ])('is invalid with $what', async ({ over }) => {
      const site = await newSite(parties);

      expect(await site.putTotal(update(over))).toMatchObject({ status: 400, body: { type: 'invalid' } });
    });
  });
});

function signed(over: Partial<TotalUpdate>): Promise<string> {
  return signDocument(toTotalDocument('munich', update(over)), parties.provisioner.key);
}
