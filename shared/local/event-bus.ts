/** EventBridge on one machine: the `PutEvents` call of its JSON protocol, and delivery to whoever the rules name. */
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod';
import { handleErrors, notFound, parseJson, RequestProblem } from '../adapters/http/server.ts';

const putEvents = z.object({
  Entries: z
    .array(z.object({ Source: z.string(), DetailType: z.string(), Detail: z.string() }))
    .min(1)
    .max(10),
});

/** Delivery is begun before the call is answered, and not awaited. */
export function eventBusApp(deliver: (detailType: string, event: object) => void): Hono {
  const app = new Hono();
  app.onError(handleErrors);
  app.notFound(notFound);
  app.post('/', async (c) => {
    if (c.req.header('x-amz-target') !== 'AWSEvents.PutEvents') {
      throw new RequestProblem(400, 'unknown-operation', 'Only PutEvents is served here');
    }
    const { Entries } = await parseJson(c, putEvents);
    const ids = Entries.map(({ Source, DetailType, Detail }) => {
      const id = randomUUID();
      deliver(DetailType, { id, source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) as unknown });
      return { EventId: id };
    });
    return c.json({ FailedEntryCount: 0, Entries: ids });
  });
  return app;
}
