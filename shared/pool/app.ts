/** The pool's server: the provider contract over HTTP. */
import { Hono, type Context } from 'hono';
import * as z from 'zod';
import {
  authenticate,
  handleErrors,
  logRefusals,
  notFound,
  parseJson,
  problemAnswer,
  requireRole,
  RequestProblem,
  sentenceOf,
  type CallerEnv,
} from '../adapters/http/server.ts';
import type { CallVerifier } from '../adapters/signing/call-token.ts';
import { identifier } from '../contracts/common.ts';
import { grantRequest, recallRequest, returnRequest } from '../contracts/provider.ts';
import type { Log } from '../ports.ts';
import type { Pool } from './pool.ts';
import { PoolProblem, ShelfContended } from './problem.ts';

/** `log` gets the calls that are refused. */
export function poolApp({ pool, verifier, log }: { pool: Pool; verifier: CallVerifier; log: Log }): Hono<CallerEnv> {
  const app = new Hono<CallerEnv>();
  app.notFound(notFound);
  app.onError((error, c) => {
    if (error instanceof PoolProblem) return answerProblem(c, error);
    if (error instanceof ShelfContended)
      return problemAnswer(c, 503, 'contended', 'Too many at once', sentenceOf(error));
    return handleErrors(error, c);
  });

  app.get('/health', (c) => c.json({ status: 'ok' }));

  app.use('/v1/*', logRefusals(log), authenticate(verifier));
  const ofSite = requireRole('site');

  app.get('/v1/describe', ofSite, (c) => {
    const { provider: name, revision, offers } = pool.describe(c.get('caller').subject);
    return c.json({ name, revision, offers });
  });

  app.get('/v1/grants', ofSite, async (c) => {
    const site = ownSite(c, c.req.query('site'));
    return c.json({ site, grants: await pool.list(site) });
  });

  app.put('/v1/grants/:id', ofSite, async (c) => {
    const { site, ...body } = await parseJson(c, grantRequest);
    return c.json(await pool.request(ownSite(c, site), grantId(c), body));
  });

  app.get('/v1/grants/:id', ofSite, async (c) => c.json(await pool.get(c.get('caller').subject, grantId(c))));

  app.post('/v1/grants/:id/return', ofSite, async (c) => {
    const id = grantId(c);
    const body = await parseJson(c, returnRequest);
    const tokens = await pool.giveBack(c.get('caller').subject, id, body);
    return c.json({ id, returnId: body.returnId, tokens });
  });

  app.post('/v1/grants/:id/renew', ofSite, async (c) => {
    const id = grantId(c);
    return c.json({ id, leaseSeconds: await pool.renew(c.get('caller').subject, id) });
  });

  app.post('/v1/grants/:id/recall', requireRole('operator'), async (c) => {
    const { withinSeconds } = await parseJson(c, recallRequest);
    return c.json(await pool.recall(grantId(c), withinSeconds));
  });

  return app;
}

function answerProblem(c: Context, problem: PoolProblem): Response {
  const { type, retryAfterSeconds } = problem;
  const unknown = type === 'unknown-grant' || type === 'unknown-resource';
  const title = unknown ? 'Not here' : 'Not possible as things stand';
  return problemAnswer(c, unknown ? 404 : 409, type, title, sentenceOf(problem), { retryAfterSeconds });
}

/** A site speaks for itself alone. */
function ownSite(c: Context<CallerEnv>, site: string | undefined): string {
  const { subject } = c.get('caller');
  if (site === subject) return site;
  const detail = `This key speaks for site ${subject} alone; name that site.`;
  throw new RequestProblem(403, 'wrong-site', 'Not allowed', detail);
}

function grantId(c: Context): string {
  const result = identifier.safeParse(c.req.param('id'));
  if (result.success) return result.data;
  throw new RequestProblem(400, 'invalid', 'Invalid grant id', z.prettifyError(result.error));
}
