import { Hono } from 'hono';
import { parseJson, requireRole, RequestProblem, sentenceOf, type CallerEnv } from '../shared/adapters/http/server.ts';
import { jobRequests } from '../shared/contracts/jobs.ts';
import type { Clock } from '../shared/ports.ts';
import type { ReferenceController } from './controller.ts';
import { UnknownResourceError } from './errors.ts';

/** Jobs for the reference cluster (contracts/jobs.ts). */
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
      throw new RequestProblem(400, 'unknown-resource', 'Unknown resource', sentenceOf(error));
    }
  });
  return app;
}
