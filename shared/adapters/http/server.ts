/** What all our servers have in common. */
import type { Context } from 'hono';
import type * as z from 'zod';
import { describeFaults } from './faults.ts';
import { RequestProblem } from './problems.ts';

export { authenticate, requireOwnSite, requireRole, type CallerEnv } from './authenticate.ts';
export { limitBody } from './limit-body.ts';
export { logRefusals } from './log-refusals.ts';
export { listen, PortInUse } from './listen.ts';
export { handleErrors, notFound, problemAnswer, RequestProblem, sentenceOf } from './problems.ts';

/** The request's body. Throws a 400 `RequestProblem` that names each fault with its path. */
export async function parseJson<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const json = await readJson(c);
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const faults = describeFaults(result.error, json);
  throw new RequestProblem(400, 'invalid', 'Invalid body', `Mend the body: ${faults.join('; ')}`, { faults });
}

async function readJson(c: Context): Promise<unknown> {
  try {
    return await c.req.json();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new RequestProblem(400, 'malformed', 'Malformed body', 'The body must be JSON (RFC 8259).');
  }
}
