import { EventEmitter, once } from 'node:events';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listen, PortInUse } from '../../../shared/adapters/http/server.ts';

describe('listen', () => {
  it('takes a free port for port 0 and says which', async () => {
    const server = await listen(
      new Hono().get('/', (c) => c.text('here')),
      0,
      '127.0.0.1',
    );
    onTestFinished(() => server.close());
    expect(await (await fetch(server.url)).text()).toBe('here');
  });

  it('names the port that is in use, and the way out', async () => {
    const server = await listen(new Hono(), 0, '127.0.0.1');
    onTestFinished(() => server.close());
    const port = Number(new URL(server.url).port);
    const failure = await listen(new Hono(), port, '127.0.0.1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PortInUse);
    expect(failure).toMatchObject({ port, message: expect.stringContaining('choose another port') });
  });

  it('finishes requests in progress before it has closed, and takes no new ones', async () => {
    const { app, begun, finish } = slowApp();
    const server = await listen(app, 0, '127.0.0.1');
    const answer = fetch(server.url);
    await begun;
    const closed = server.close();
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
    finish();
    expect(await (await answer).text()).toBe('done');
    await closed;
  });

  it('cuts off, after a while, a request that never ends', async () => {
    const { app, begun } = slowApp();
    const server = await listen(app, 0, '127.0.0.1');
    const answer = fetch(server.url).catch((error: unknown) => error);
    await begun;
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const closed = server.close();
    vi.advanceTimersByTime(5_000);
    await closed;
    expect(await answer).toBeInstanceOf(TypeError);
  });
});

/** Answers once `finish` is called; `begun` resolves when a request has come. */
function slowApp(): { app: Hono; begun: Promise<void>; finish: () => void } {
  const progress = new EventEmitter();
  const app = new Hono();
  app.get('/', async (c) => {
    const finished = once(progress, 'finish');
    progress.emit('begun');
    await finished;
    return c.text('done');
  });
  const begun = once(progress, 'begun').then(() => undefined);
  return { app, begun, finish: () => void progress.emit('finish') };
}
