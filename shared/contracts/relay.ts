/**
 * How a controller that can't be reached from outside fetches the site's calls to it, and answers them: the schemas are
 * the source of docs/openapi/relay.json. The calls are those of the controller contract, signed in the same way.
 */
import * as z from 'zod';

/** API Gateway waits no longer than 30 s for a function. */
export const maxWaitSeconds = 20;
/** Lambda is handed no more than 6 MB. Compressed, the largest answer of the controller contract takes a part of this. */
export const maxRelayedAnswerBytes = 4 * 1024 * 1024;

export const relayQuery = z.object({
  wait: z.coerce
    .number()
    .min(0)
    .max(maxWaitSeconds)
    .default(0)
    .describe('Seconds to wait for a call where there is none'),
});

export const relayedCallId = z.string().regex(/^\d{15}-[0-9a-f-]{36}$/);

const relayedCall = z
  .object({
    id: relayedCallId,
    method: z.string(),
    target: z
      .string()
      .regex(/^\/v1\//, 'a path from /v1/ on')
      .describe('Path and query of the controller contract; the call is signed for them under any scheme and host'),
    headers: z.record(z.string(), z.string()),
    body: z.string().optional(),
  })
  .describe('A call to the controller contract. It is handed out once');

export const relayedCalls = z.object({ calls: z.array(relayedCall) });
export type RelayedCalls = z.infer<typeof relayedCalls>;

export const relayedAnswer = z.object({
  status: z.int().min(200).max(599),
  contentType: z.string().max(200).exactOptional(),
  body: z.base64().describe('The body of the answer, compressed with gzip, in base64; empty where there is none'),
});
export type RelayedAnswerDocument = z.infer<typeof relayedAnswer>;
