import { DynamoDemandWindow } from '../shared/adapters/dynamodb/demand-window.ts';
import { dynamoClient } from '../shared/adapters/dynamodb/client.ts';
import { CallVerifier } from '../shared/adapters/signing/call-token.ts';
import { KeyList } from '../shared/adapters/signing/keys.ts';
import { demandApp } from '../shared/demand-app.ts';
import { deployed, httpHandler, required, requiredJson, type MakeHandler } from './host.ts';
import { eventsOf, siteOf } from './wiring.ts';

/** The controller calls it when jobs begin to wait, so that borrowing does not wait for the minute. */
export const make: MakeHandler = async (host) => {
  const bundle = await siteOf(host);
  const { site } = bundle.policy;
  const keys = await KeyList.parse(requiredJson(host.environment, 'ESR_CONTROLLER_KEYS'));
  const table = required(host.environment, 'ESR_TABLE');
  const window = new DynamoDemandWindow({ client: dynamoClient(host.environment), table, site });
  const verifier = new CallVerifier({ keys, audience: site });
  const { clock, log } = host;
  return httpHandler(demandApp({ site, verifier, window, events: eventsOf(host, bundle), clock, log }));
};

export const handler = deployed(make);
