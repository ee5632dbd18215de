import type { Transport } from '../adapters/http/client.ts';
import type { Clock } from '../ports.ts';
import type { CallerSide, RelayedAnswer } from './relay-store.ts';

/** From one look for the answer to the next: twice as long each time, as most answers come soon or not at all. */
const shortestPauseMilliseconds = 40;
const longestPauseMilliseconds = 250;

/** In the place of an address: the host is nobody's, and the controller's side takes the path and the query alone. */
export const relayUrl = (site: string): string => `relay://${site}`;

/** Carries calls over the relay. After `timeoutMilliseconds` a call is not handed out any more. */
export function relayTransport(options: { store: CallerSide; clock: Clock; timeoutMilliseconds: number }): Transport {
  const { store, clock, timeoutMilliseconds } = options;
  return async (url, { method, headers, body, signal }) => {
    const { pathname, search } = new URL(url);
    const call = {
      method,
      target: `${pathname}${search}`,
      headers: Object.fromEntries(headers),
      ...(body === undefined ? {} : { body }),
    };
    const id = await store.leave(call, clock.now() + timeoutMilliseconds);
    for (let pause = shortestPauseMilliseconds; ; pause = Math.min(2 * pause, longestPauseMilliseconds)) {
      await clock.sleep(pause, signal);
      const answer = await store.answerTo(id);
      if (answer !== undefined) return responseOf(answer);
    }
  };
}

/** Its body is decompressed as it is read, so that the reader's limit holds for what comes out. */
function responseOf({ status, contentType, body }: RelayedAnswer): Response {
  const content = body.length === 0 ? null : new Blob([body]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(content, { status, headers: contentType === undefined ? {} : { 'content-type': contentType } });
}
