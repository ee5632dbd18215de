import { dynamoClient } from '../shared/adapters/dynamodb/client.ts';
import { DynamoFreezeStore } from '../shared/adapters/dynamodb/freeze-store.ts';
import { CallVerifier } from '../shared/adapters/signing/call-token.ts';
import { KeyList } from '../shared/adapters/signing/keys.ts';
import { freezeApp } from '../shared/freeze-app.ts';
import { deployed, httpHandler, required, requiredJson, type MakeHandler } from './host.ts';
import { siteOf } from './wiring.ts';

/** An operator calls it to stop all borrowing at once, and to let it go on. */
export const make: MakeHandler = async (host) => {
  const { site } = (await siteOf(host)).policy;
  const keys = await KeyList.parse(requiredJson(host.environment, 'ESR_CONTROLLER_KEYS'));
  const table = required(host.environment, 'ESR_TABLE');
  const store = new DynamoFreezeStore({ client: dynamoClient(host.environment), table, site });
  const { clock, log } = host;
  return httpHandler(freezeApp({ site, verifier: new CallVerifier({ keys, audience: site }), store, clock, log }));
};

export const handler = deployed(make);
