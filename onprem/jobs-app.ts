import { Hono } from 'hono';
import * as z from 'zod';
import { parseJson, requireRole, RequestProblem, type CallerEnv } from '../shared/adapters/http/server.ts';
import { identifier, isoTime, resourceName, seconds, tokens } from '../shared/contracts/common.ts';
import type { Clock } from '../shared/ports.ts';
import type { ReferenceController } from './controller.ts';
import { UnknownResourceError } from './errors.ts';

/** Jobs for the reference cluster. Without `submit` a job is submitted now. */
const jobRequests = z
  .array(
    z.strictObject({
      id: identifier,
      submit: isoTime.optional(),
      needs: z.record(resourceName, tokens),
      runSeconds: seconds,
      user: z.string().min(1).max(256).optional(),
    }),
  )
  .max(10_000);

/** POST: all of the jobs are submitted or none. Jobs that the cluster has by their id already are passed over. */
export function jobsApp(controller: ReferenceController, clock: Clock): Hono<CallerEnv> {
  const app = new Hono<CallerEnv>();
  app.post('/', requireRole('worker'), async (c) => {
    const requests = await parseJson(c, jobRequests);
    const now = clock.now();
    const jobs = requests.map(({ submit, user, ...job }) => ({
      ...job,
      submit: submit === undefined ? now : Date.parse(submit),
      ...(user === undefined ? {} : { user }),
    }));
    try {
      return c.json(controller.submit(jobs, now));
    } catch (error) {
      if (!(error instanceof UnknownResourceError)) throw error;
      throw new RequestProblem(400, 'unknown-resource', 'Unknown resource', error.message);
    }
  });
  return app;
}
