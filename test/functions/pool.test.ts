import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { poolBundle } from '../../functions/pool-bundle.ts';
import { poolFunction } from '../../functions/pool-manifest.ts';
import { make } from '../../functions/pool.ts';
import { dynamoClient } from '../../shared/adapters/dynamodb/client.ts';
import { ensureTable } from '../../shared/adapters/dynamodb/ensure-table.ts';
import { HttpClient } from '../../shared/adapters/http/client.ts';
import { listen } from '../../shared/adapters/http/server.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { HttpProvider } from '../../shared/adapters/provider/http-provider.ts';
import { IamSigner, type Credentials } from '../../shared/adapters/provider/iam-signer.ts';
import { loadPoolFile } from '../../shared/config/load-pool.ts';
import { engineEnvironment, startEngine } from '../../shared/local/engine.ts';
import { gatewayApp } from '../../shared/local/gateway.ts';
import { iamGateway } from '../adapters/provider/iam-gateway.ts';
import { newParty, type Party } from '../adapters/signing/party.ts';
import { engineKinds } from '../local/engine-fixture.ts';
import { ManualClock } from '../onprem/manual-clock.ts';

const region = 'eu-central-1';
const table = 'esr-pool-burst';
/** Sessions of the roles that the pool's stack makes for its sites and that its operator has. */
const sessions = {
  austin: { accessKeyId: 'ASIAAUSTIN', secretAccessKey: 'a', sessionToken: 'austin' },
  munich: { accessKeyId: 'ASIAMUNICH', secretAccessKey: 'm', sessionToken: 'munich' },
  desk: { accessKeyId: 'ASIADESK', secretAccessKey: 'd', sessionToken: 'desk' },
};

const poolFile = `pool: burst
offers:
  hfsshpc: { capacity: 64, block: 8, minimumHold: 60s, lease: 8h, costPerTokenHour: 0.3 }
  vcs_runtime@flex1: { capacity: 4, minimumHold: 0s, costPerTokenHour: 1 }
sites:
  austin: { keys: austin.json, account: '111122223333', externalId: burst-austin, maximum: { hfsshpc: 16 } }
  munich: { keys: munich.json, account: '444455556666', externalId: burst-munich }
operators: desk.json
`;

let parties: Readonly<Record<keyof typeof sessions, Party>>;

beforeAll(async () => {
  parties = {
    austin: await newParty('site', 'austin'),
    munich: await newParty('site', 'munich'),
    desk: await newParty('operator', 'licence-desk'),
  };
});

describe.each(engineKinds)('the deployed pool on %s', (kind) => {
  /** The function with its table and bundle, behind an API that authenticates by IAM. */
  async function deploy() {
    const folder = await mkdtemp(join(tmpdir(), 'pool-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const engine = await startEngine({ kind });
    onTestFinished(() => engine.stop());
    const environment = engineEnvironment(engine);
    const client = dynamoClient(environment);
    onTestFinished(() => client.destroy());
    await ensureTable(client, table);

    for (const [name, { entry }] of Object.entries(parties)) {
      await writeFile(join(folder, `${name}.json`), JSON.stringify({ keys: [entry] }));
    }
    await writeFile(join(folder, 'pool.yaml'), poolFile);
    const bundle = join(folder, 'pool.json');
    await writeFile(bundle, JSON.stringify(poolBundle(await loadPoolFile(join(folder, 'pool.yaml')))));

    const clock = new ManualClock();
    const host = {
      environment: { ...environment, ESR_POOL_FILE: bundle, ESR_TABLE: table },
      clock,
      log: new JsonLog(() => {}),
    };
    let handler = await make(host);
    const api = new Hono();
    api.use(iamGateway(region, () => Object.values(sessions)));
    api.route(
      '/',
      gatewayApp([poolFunction], async (_name, event) => handler(decoded(event))),
    );
    const server = await listen(api, 0, '127.0.0.1');
    onTestFinished(() => server.close());
    const restart = async (): Promise<void> => {
      handler = await make(host);
    };
    return { url: server.url, clock, restart };
  }

  function clientOf(caller: keyof typeof sessions, session: Credentials = sessions[caller]): HttpClient {
    const { key, subject } = parties[caller];
    const platform = new IamSigner({ region, obtain: async () => session });
    return new HttpClient({ key, subject, audience: 'burst', platform });
  }

  function providerOf(site: 'austin' | 'munich', url: string): HttpProvider {
    return new HttpProvider({ name: 'burst', client: clientOf(site), url, site });
  }

  it('lends to a site up to its maximum, renews, and takes back, through IAM and by the signature of the site', async () => {
    const { url, clock } = await deploy();
    const austin = providerOf('austin', url);
    expect((await austin.describe()).offers).toMatchObject([
      { resource: 'hfsshpc', maximum: 16 },
      { resource: 'vcs_runtime@flex1', maximum: 4 },
    ]);
    expect(await austin.request('austin-1', 'hfsshpc', 32)).toMatchObject({ outcome: 'granted', tokens: 16 });
    expect(await austin.renew('austin-1')).toEqual({ outcome: 'renewed', leaseSeconds: 8 * 3600 });
    expect(await austin.giveBack('austin-1', 'r-1', 16)).toMatchObject({ outcome: 'refused' });
    clock.set(clock.now() + 60_000);
    expect(await austin.giveBack('austin-1', 'r-1', 16)).toEqual({ outcome: 'returned', tokens: 0 });
    expect((await austin.list()).grants).toEqual([]);
  });

  it('takes grant ids with every character that resources may have', async () => {
    const { url } = await deploy();
    const austin = providerOf('austin', url);
    const id = 'austin-vcs_runtime@flex1:a+b-1';
    expect(await austin.request(id, 'vcs_runtime@flex1', 2)).toMatchObject({ outcome: 'granted', tokens: 2 });
    expect((await austin.list()).grants).toMatchObject([{ id, tokens: 2 }]);
    expect(await austin.giveBack(id, 'r-1', 2)).toEqual({ outcome: 'returned', tokens: 0 });
  });

  it('keeps what it has lent in its table', async () => {
    const { url, restart } = await deploy();
    await providerOf('austin', url).request('austin-1', 'hfsshpc', 16);
    await restart();
    expect((await providerOf('austin', url).list()).grants).toMatchObject([{ id: 'austin-1', tokens: 16 }]);
    expect(await providerOf('munich', url).request('munich-1', 'hfsshpc', 64)).toMatchObject({ tokens: 48 });
  });

  it('lets an operator recall a grant, and no site', async () => {
    const { url } = await deploy();
    await providerOf('austin', url).request('austin-1', 'hfsshpc', 16);
    const recall = { method: 'POST', url: `${url}/v1/grants/austin-1/recall`, json: { withinSeconds: 600 } };
    expect(await clientOf('munich').request(recall)).toMatchObject({ status: 403, body: { type: 'wrong-role' } });
    expect(await clientOf('desk').request(recall)).toMatchObject({ status: 200 });
    expect((await providerOf('austin', url).list()).grants).toMatchObject([{ recalled: { withinSeconds: 600 } }]);
  });

  it('is not reached by whoever IAM does not know', async () => {
    const { url } = await deploy();
    const stranger = clientOf('austin', { ...sessions.austin, secretAccessKey: 'guessed' });
    expect(await stranger.request({ method: 'GET', url: `${url}/v1/describe` })).toEqual({
      status: 403,
      body: { message: 'Forbidden' },
    });
  });

  it("does not believe the role alone: one site's session and key show nothing of another site", async () => {
    const { url } = await deploy();
    await providerOf('munich', url).request('munich-1', 'hfsshpc', 16);
    const spy = clientOf('austin', sessions.munich);
    const answer = await spy.request({ method: 'GET', url: `${url}/v1/grants?site=munich` });
    expect(answer).toMatchObject({ status: 403, body: { type: 'wrong-site' } });
    expect((await providerOf('austin', url).list()).grants).toEqual([]);
  });
});

/** HTTP APIs hand paths on decoded. */
function decoded(event: unknown): unknown {
  const { rawPath, ...rest } = z.looseObject({ rawPath: z.string() }).parse(event);
  return { ...rest, rawPath: decodeURIComponent(rawPath) };
}
