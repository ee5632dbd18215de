import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { RelayClient } from '../../onprem/relay-client.ts';
import { listen } from '../../shared/adapters/http/server.ts';
import { newParty, type Party } from '../adapters/signing/party.ts';
import { ManualClock } from './manual-clock.ts';
import { second } from './support.ts';

let controller: Party;

beforeAll(async () => {
  controller = await newParty('controller', 'munich');
});

const observation = { method: 'GET', target: '/v1/shared-resources', headers: { authorization: 'Bearer x' } };
const callId = `${'0'.repeat(15)}-${randomUUID()}`;
const oneCall = { calls: [{ id: callId, ...observation }] };
const noCalls = { calls: [] };

/** A client whose site answers what the test says, and which is stopped after it. */
async function startClient(
  site: (request: Request, index: number) => Response | Promise<Response>,
  { waitSeconds = 0, everySeconds = 5, answer = async () => Response.json({}) } = {},
) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const lines: string[] = [];
  const server = await listen(
    {
      fetch: (request) => {
        const { pathname, search } = new URL(request.url);
        asked.push(`${request.method} ${pathname}${search}`);
        return site(request, asked.length - 1);
      },
    },
    0,
    '127.0.0.1',
  );
  onTestFinished(() => server.close());
  const client = new RelayClient({
    site: 'munich',
    relay: { url: `${server.url}/v1/relay`, key: controller.key, waitSeconds, everySeconds },
    answer,
    log: { info: (line) => lines.push(line), warn: (line) => lines.push(line), alarm: (line) => lines.push(line) },
    clock,
  });
  client.start();
  onTestFinished(() => client.stop());
  /** Lets time pass once the client pauses. */
  const pass = async (seconds: number): Promise<void> => {
    await expect.poll(() => clock.sleeping).toBe(1);
    clock.set(clock.now() + seconds * second);
  };
  return { client, clock, asked, lines, pass };
}

describe('fetching calls', () => {
  it('asks again after the pause where there were none, and at once where there were', async () => {
    const found = [noCalls, oneCall];
    const { asked, pass } = await startClient((request) =>
      request.method === 'POST' ? new Response(null, { status: 204 }) : Response.json(found.shift() ?? noCalls),
    );
    await pass(5);
    await expect.poll(() => asked.filter((call) => call.startsWith('GET'))).toHaveLength(3);
  });

  it('says how long the site may hold the call', async () => {
    const { asked } = await startClient(() => Response.json(noCalls), { waitSeconds: 20 });
    await expect.poll(() => asked).toEqual(['GET /v1/relay?wait=20']);
  });

  it('pauses twice as long after each failure, 30 s at the most, and says once that and once that no more', async () => {
    const { asked, clock, lines, pass } = await startClient((_, index) =>
      index < 7 ? new Response(null, { status: 503 }) : Response.json(noCalls),
    );
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      await expect.poll(() => clock.sleeping).toBe(1);
      const before = asked.length;
      await pass(seconds - 0.001);
      expect(asked).toHaveLength(before);
      await pass(0.001);
      await expect.poll(() => asked).toHaveLength(before + 1);
    }
    await expect.poll(() => lines).toHaveLength(2);
    expect(lines).toEqual(["fetching the site's calls has failed", "the site's calls can be fetched again"]);
  });

  it('goes on after an answer that breaks the contract', async () => {
    const { asked, lines, pass } = await startClient(() => Response.json({ calls: [{ target: 'http://elsewhere' }] }));
    await pass(1);
    await expect.poll(() => asked).toHaveLength(2);
    expect(lines).toHaveLength(1);
  });

  it('stops at once, also while the site holds its call', async () => {
    const { client, asked } = await startClient(() => new Promise(() => {}), { waitSeconds: 20 });
    await expect.poll(() => asked).toHaveLength(1);
    await expect(client.stop()).resolves.toBeUndefined();
  });

  it('asks no more when it is stopped while it pauses', async () => {
    const { client, clock, asked } = await startClient(() => Response.json(noCalls));
    await expect.poll(() => clock.sleeping).toBe(1);
    await client.stop();
    expect(asked).toHaveLength(1);
  });
});

describe('answering calls', () => {
  it('fetches the next while an answer takes its time, and is not stopped before that is given', async () => {
    let answerNow: (answer: Response) => void = () => {};
    const answer = () => new Promise<Response>((resolve) => (answerNow = resolve));
    const { client, asked } = await startClient(
      (request, index) =>
        request.method === 'POST'
          ? new Response(null, { status: 204 })
          : Response.json(index === 0 ? oneCall : noCalls),
      { answer },
    );
    await expect.poll(() => asked).toHaveLength(2);
    const stopped = client.stop();
    answerNow(Response.json({}));
    await stopped;
    expect(asked.at(-1)).toBe(`POST /v1/relay/${callId}`);
  });

  it.each([
    ['is refused', async () => Response.json({}), 409],
    ['can not be made', async () => Promise.reject(new Error('no')), 204],
  ])('goes on where an answer %s, and says so', async (_what, answer, status) => {
    const { asked, lines, pass } = await startClient(
      (request, index) =>
        request.method === 'POST' ? new Response(null, { status }) : Response.json(index === 0 ? oneCall : noCalls),
      { answer },
    );
    await expect.poll(() => lines).toEqual(['answering a call of the site has failed']);
    await pass(5);
    await expect.poll(() => asked.filter((call) => call.startsWith('GET'))).toHaveLength(3);
  });
});
