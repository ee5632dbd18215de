import { Hono } from 'hono';
import * as z from 'zod';
import {
  authenticate,
  handleErrors,
  logRefusals,
  notFound,
  parseJson,
  requireOwnSite,
  requireRole,
  type CallerEnv,
} from './adapters/http/server.ts';
import type { CallVerifier } from './adapters/signing/call-token.ts';
import { announceDemand, type DemandPorts } from './announce-demand.ts';
import { demandCall } from './contracts/demand.ts';
import type { Log } from './ports.ts';

/** The demand contract of one site (contracts/demand.ts). */
export function demandApp({
  site,
  verifier,
  log,
  ...ports
}: DemandPorts & { site: string; verifier: CallVerifier; log: Log }): Hono<CallerEnv> {
  const app = new Hono<CallerEnv>();
  app.onError(handleErrors);
  app.notFound(notFound);
  app.use(logRefusals(log), authenticate(verifier), requireOwnSite(site));
  app.post('/v1/demand', requireRole('controller'), async (c) => {
    await parseJson(c, demandCall.extend({ site: z.literal(site) }));
    return c.json({ outcome: await announceDemand(ports) }, 202);
  });
  return app;
}
