import { Hono } from 'hono';
import * as z from 'zod';
import { DynamoDemandWindow } from '../shared/adapters/dynamodb/demand-window.ts';
import { dynamoClient } from '../shared/adapters/dynamodb/client.ts';
import { authenticate, handleErrors, notFound, parseJson, requireRole } from '../shared/adapters/http/server.ts';
import { CallVerifier } from '../shared/adapters/signing/call-token.ts';
import { KeyList } from '../shared/adapters/signing/keys.ts';
import { announceDemand } from '../shared/announce-demand.ts';
import { deployed, httpHandler, required, type MakeHandler } from './host.ts';
import { eventsOf, siteOf } from './wiring.ts';

/** The controller calls it when jobs begin to wait, so that borrowing does not wait for the minute. */
export const make: MakeHandler = async (host) => {
  const bundle = await siteOf(host);
  const { site } = bundle.policy;
  const keys = await KeyList.parse(JSON.parse(required(host.environment, 'ESR_CONTROLLER_KEYS')));
  const table = required(host.environment, 'ESR_TABLE');
  const window = new DynamoDemandWindow({ client: dynamoClient(host.environment), table, site });
  const ports = { window, events: eventsOf(host, bundle), clock: host.clock };

  const app = new Hono();
  app.onError(handleErrors);
  app.notFound(notFound);
  app.use(authenticate(new CallVerifier({ keys, audience: site })));
  app.post('/v1/demand', requireRole('controller'), async (c) => {
    await parseJson(c, z.object({ site: z.literal(site) }));
    return c.json({ outcome: await announceDemand(ports) }, 202);
  });
  return httpHandler(app);
};

export const handler = deployed(make);
