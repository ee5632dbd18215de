/** The status API over HTTP, as docs/openapi/status.json describes it. */
import { Hono, type Context } from 'hono';
import { etag } from 'hono/etag';
import type * as z from 'zod';
import { printable } from '../adapters/http/faults.ts';
import { handleErrors, notFound, problemAnswer, RequestProblem, sentenceOf } from '../adapters/http/server.ts';
import { statusDocument } from '../contracts/openapi-status.ts';
import type { OpenApiDocument } from '../contracts/openapi.ts';
import { historyQuery, totalsQuery } from '../contracts/status-history.ts';
import { LedgerUnreadable, TooManySteps, UnknownResource } from './errors.ts';
import type { SiteStatus } from './site-status.ts';

/** It authenticates nobody: that is for whatever it is deployed behind. */
export function statusApp(status: SiteStatus): Hono {
  const app = new Hono();
  app.onError(answerError);
  app.notFound(notFound);
  app.use(etag(), async (c, next) => {
    await next();
    // Kept copies may be used once the ETag has been compared.
    c.header('cache-control', 'no-cache');
  });
  app.use((c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    c.header('allow', 'GET, HEAD');
    throw new RequestProblem(405, 'read-only', 'Method not allowed', 'The status API only reads; use GET.');
  });
  app.get('/v1/site', async (c) => c.json(await status.site()));
  app.get('/v1/resources', async (c) => c.json(await status.resources()));
  app.get('/v1/resources/:name', async (c) => c.json(await status.resource(c.req.param('name'))));
  app.get('/v1/resources/:name/grants', async (c) => c.json(await status.grants(c.req.param('name'))));
  app.get('/v1/resources/:name/history', async (c) =>
    c.json(await status.history(c.req.param('name'), queryOf(c, historyQuery))),
  );
  app.get('/v1/resources/:name/totals', async (c) =>
    c.json(await status.totals(c.req.param('name'), queryOf(c, totalsQuery))),
  );
  app.get('/v1/providers', async (c) => c.json(await status.providers()));
  app.get('/v1/health', async (c) => c.json(await status.health()));
  let document: OpenApiDocument | undefined;
  app.get('/v1/openapi.json', (c) => c.json((document ??= statusDocument())));
  return app;
}

/** Throws a 400 `RequestProblem` that names each parameter that is wrong. */
function queryOf<T>(c: Context, schema: z.ZodType<T>): T {
  const result = schema.safeParse(c.req.query());
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    printable(path.length === 0 ? message : `${path.join('.')}: ${message}`),
  );
  throw new RequestProblem(400, 'invalid', 'Invalid query', `Mend the query: ${faults.join('; ')}`, { faults });
}

function answerError(error: Error, c: Context): Response | Promise<Response> {
  if (error instanceof UnknownResource) {
    return problemAnswer(c, 404, 'unknown-resource', 'Unknown resource', sentenceOf(error));
  }
  if (error instanceof TooManySteps)
    return problemAnswer(c, 400, 'too-many-steps', 'Too many steps', sentenceOf(error));
  if (error instanceof LedgerUnreadable) {
    return problemAnswer(c, 503, 'ledger-unreadable', 'Ledger unreadable', sentenceOf(error));
  }
  return handleErrors(error, c);
}
