import { dynamoClient } from '../shared/adapters/dynamodb/client.ts';
import { CallVerifier } from '../shared/adapters/signing/call-token.ts';
import { KeyList } from '../shared/adapters/signing/keys.ts';
import { poolApp } from '../shared/pool/app.ts';
import { DynamoPoolStore } from '../shared/pool/dynamo-store.ts';
import { Pool } from '../shared/pool/pool.ts';
import { deployed, httpHandler, required, type MakeHandler } from './host.ts';
import { readPoolBundle } from './pool-bundle.ts';

/** The lending pool as a service: the whole provider contract, over one table. */
export const make: MakeHandler = async ({ environment, clock, log }) => {
  const { name, offers, siteMaxima, keys } = await readPoolBundle(required(environment, 'ESR_POOL_FILE'));
  const table = required(environment, 'ESR_TABLE');
  const pool = new Pool({
    name,
    offers,
    siteMaxima: new Map(Object.entries(siteMaxima).map(([site, maxima]) => [site, new Map(Object.entries(maxima))])),
    store: new DynamoPoolStore({ client: dynamoClient(environment), table, pool: name }),
    clock,
  });
  const verifier = new CallVerifier({ keys: await KeyList.parse(keys), audience: name });
  return httpHandler(poolApp({ pool, verifier, log }));
};

export const handler = deployed(make);
