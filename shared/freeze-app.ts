import { Hono } from 'hono';
import type * as z from 'zod';
import {
  authenticate,
  handleErrors,
  logRefusals,
  notFound,
  requireOwnSite,
  requireRole,
  type CallerEnv,
} from './adapters/http/server.ts';
import type { CallVerifier } from './adapters/signing/call-token.ts';
import type { freezeState } from './contracts/freeze.ts';
import type { Clock, FreezeStore, Log } from './ports.ts';
import { rfc3339 } from './status/rfc3339.ts';

/** The freeze contract of one site (contracts/freeze.ts). */
export function freezeApp(options: {
  site: string;
  verifier: CallVerifier;
  store: FreezeStore;
  clock: Clock;
  log: Log;
}): Hono<CallerEnv> {
  const { site, verifier, store, clock, log } = options;
  const app = new Hono<CallerEnv>();
  app.onError(handleErrors);
  app.notFound(notFound);
  app.use(logRefusals(log), authenticate(verifier), requireOwnSite(site));
  app.put('/v1/freeze', requireRole('operator'), async (c) => {
    const freeze = { since: clock.now(), by: c.get('caller').subject };
    await store.writeFreeze(freeze);
    log.warn('borrowing is frozen', { by: freeze.by });
    return c.json({ since: rfc3339(freeze.since), by: freeze.by } satisfies z.infer<typeof freezeState>);
  });
  app.delete('/v1/freeze', requireRole('operator'), async (c) => {
    await store.writeFreeze(undefined);
    log.warn('borrowing is no longer frozen', { by: c.get('caller').subject });
    return c.body(null, 204);
  });
  return app;
}
