import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { problemAnswer } from './problems.ts';

/** Answers 413 to a longer body, and receives no more of it. */
export function limitBody(maxBytes: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: maxBytes,
    onError: (c) => {
      // The rest of the body is still on its way; no other request must wait behind it.
      c.header('connection', 'close');
      return problemAnswer(c, 413, 'too-large', 'Body too large', `Send at most ${maxBytes} bytes at once.`);
    },
  });
}
