import { Hono } from 'hono';
import * as z from 'zod';
import {
  authenticate,
  handleErrors,
  logRefusals,
  notFound,
  parseJson,
  problemAnswer,
  requireOwnSite,
  requireRole,
  RequestProblem,
  type CallerEnv,
} from '../adapters/http/server.ts';
import type { CallVerifier } from '../adapters/signing/call-token.ts';
import { maxRelayedAnswerBytes, relayedAnswer, relayQuery, type RelayedCalls } from '../contracts/relay.ts';
import type { Clock, Log } from '../ports.ts';
import type { FetcherSide, HandedOut } from './relay-store.ts';

/** From one look for calls to the next: twice as long each time, as a call is often followed by another. */
const shortestPauseMilliseconds = 50;
const longestPauseMilliseconds = 500;

export interface RelayAppOptions {
  readonly site: string;
  readonly verifier: CallVerifier;
  readonly store: FetcherSide;
  readonly clock: Clock;
  readonly log: Log;
}

/** The relay contract of one site (contracts/relay.ts). */
export function relayApp({ site, verifier, store, clock, log }: RelayAppOptions): Hono<CallerEnv> {
  const app = new Hono<CallerEnv>();
  app.onError(handleErrors);
  app.notFound(notFound);
  app.use(
    logRefusals(log),
    authenticate(verifier, maxRelayedAnswerBytes),
    requireOwnSite(site),
    requireRole('controller'),
  );

  app.get('/v1/relay', async (c) => {
    const query = relayQuery.safeParse(c.req.query());
    if (!query.success) {
      throw new RequestProblem(400, 'invalid', 'Invalid query', `Mend the query: ${z.prettifyError(query.error)}`);
    }
    const taken = await waitForCalls(store, clock, query.data.wait * 1000);
    if (taken === 'displaced') {
      const detail = 'The controller has begun to fetch anew; let one process fetch the calls of a site.';
      return problemAnswer(c, 409, 'displaced', 'Displaced', detail);
    }
    const calls = taken.map(({ id, call }) => ({ id, ...call }));
    return c.json({ calls } satisfies RelayedCalls);
  });

  app.post('/v1/relay/:id', async (c) => {
    const { body, ...answer } = await parseJson(c, relayedAnswer);
    const id = c.req.param('id');
    const outcome = await store.answer(id, { ...answer, body: Buffer.from(body, 'base64') }, clock.now());
    if (outcome === 'kept') return c.body(null, 204);
    if (outcome === 'unknown') {
      return problemAnswer(c, 404, 'not-found', 'No such call', 'No call was handed out under this id.');
    }
    const detail =
      outcome === 'late' ? 'Its caller waits no longer.' : 'It was answered before, and that answer stands.';
    return problemAnswer(c, 409, outcome, 'Not taken', detail);
  });
  return app;
}

async function waitForCalls(
  store: FetcherSide,
  clock: Clock,
  milliseconds: number,
): Promise<readonly HandedOut[] | 'displaced'> {
  const until = clock.now() + milliseconds;
  const fetcher = await store.begin(clock.now());
  for (let pause = shortestPauseMilliseconds; ; pause = Math.min(2 * pause, longestPauseMilliseconds)) {
    const taken = await store.take(fetcher, clock.now());
    const left = until - clock.now();
    if (taken === 'displaced' || taken.length > 0 || left <= 0) return taken;
    await clock.sleep(Math.min(pause, left));
  }
}
