import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { make as makeReconcile } from '../../functions/reconcile.ts';
import { readSiteBundle } from '../../functions/site-bundle.ts';
import { listen } from '../../shared/adapters/http/server.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { CallVerifier } from '../../shared/adapters/signing/call-token.ts';
import { KeyList } from '../../shared/adapters/signing/keys.ts';
import { writeDurably } from '../../shared/local/write-durably.ts';
import { poolApp } from '../../shared/pool/app.ts';
import { iamGateway } from '../adapters/provider/iam-gateway.ts';
import { Moto, motoAccount, motoIsThere, orMotoSkipped } from '../adapters/provider/moto.ts';
import { startParts, submitJob, type Parts } from './parts.ts';

const auth = {
  kind: 'iam',
  region: 'eu-central-1',
  roleArn: `arn:aws:iam::${motoAccount}:role/burst-munich`,
  externalId: 'burst-munich',
} as const;

/** The pool of the parts behind an API that lets through whoever STS has given a session. */
async function serveBehindIam({ pool, keys }: Parts, moto: Moto): Promise<string> {
  const verifier = new CallVerifier({ keys: await KeyList.parse(keys.keyList), audience: 'burst' });
  const api = new Hono();
  api.use(iamGateway(auth.region, () => moto.sessions()));
  api.route('/', poolApp({ pool, verifier, log: new JsonLog(() => {}) }));
  const server = await listen(api, 0, '127.0.0.1');
  onTestFinished(() => server.close());
  return server.url;
}

/** Where `stsEndpoint` hands out sessions of the role. */
async function makeWith(parts: Parts, url: string, stsEndpoint: string) {
  const path = String(parts.environment['ESR_SITE_FILE']);
  const bundle = await readSiteBundle(path);
  await writeDurably(path, JSON.stringify({ ...bundle, providers: [{ name: 'burst', url, auth }] }));
  return parts.make(makeReconcile, { ...parts.environment, AWS_ENDPOINT_URL_STS: stsEndpoint });
}

describe.skipIf(!motoIsThere)(`reconcile${orMotoSkipped}`, () => {
  it('borrows from a pool behind IAM, with one session of the role that the site file names', async () => {
    const moto = await Moto.start();
    onTestFinished(() => moto.stop());
    const parts = await startParts();
    submitJob(parts);
    const reconcile = await makeWith(parts, await serveBehindIam(parts, moto), moto.endpoint);
    expect(await reconcile({})).toBe('done');
    expect(await parts.pool.list('munich')).toMatchObject([{ state: 'granted', tokens: 16 }]);
    expect(await moto.sessions()).toHaveLength(1);
  }, 60_000);
});

it('reconcile goes on without a provider whose role it may not assume', async () => {
  const parts = await startParts();
  submitJob(parts);
  const reconcile = await makeWith(parts, 'http://127.0.0.1:9', 'http://127.0.0.1:9');
  expect(await reconcile({})).toBe('done');
  expect(await parts.pool.list('munich')).toEqual([]);
});
