import { onTestFinished } from 'vitest';
import { HttpClient } from '../../shared/adapters/http/client.ts';
import { listen } from '../../shared/adapters/http/server.ts';
import { CallVerifier } from '../../shared/adapters/signing/call-token.ts';
import { poolApp } from '../../shared/pool/app.ts';
import type { PoolOffer } from '../../shared/pool/offer.ts';
import type { PoolStore } from '../../shared/pool/store.ts';
import type { Log } from '../../shared/ports.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { keyListOf, type Party } from '../adapters/signing/party.ts';
import { aPool } from './support.ts';

/** A pool behind a real server that lives as long as the running test. It trusts the parties. */
export async function servePool(
  parties: readonly Party[],
  { offers, store, log = new JsonLog(() => {}) }: { offers?: readonly PoolOffer[]; store?: PoolStore; log?: Log } = {},
) {
  const { pool, clock } = aPool(offers, store);
  const verifier = new CallVerifier({ keys: await keyListOf(...parties), audience: 'burst' });
  const server = await listen(poolApp({ pool, verifier, log }), 0, '127.0.0.1');
  onTestFinished(() => server.close());
  return { pool, clock, url: server.url };
}

export function clientOf({ key, subject }: Party): HttpClient {
  return new HttpClient({ key, subject, audience: 'burst' });
}
