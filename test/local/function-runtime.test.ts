import { networkInterfaces } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { systemClock } from '../../shared/adapters/system-clock.ts';
import { startFunctions } from '../../shared/local/function-runtime.ts';
import { Activity } from '../../shared/simulation/activity.ts';

it('serves the API of a local run, which authenticates no reader, to this machine alone', async () => {
  const options = { functions: [], environment: {}, clock: systemClock, activity: new Activity(), port: 0 };
  const runtime = await startFunctions({ ...options, log: new JsonLog(() => {}) });
  onTestFinished(() => runtime.close());
  const { hostname, port } = new URL(runtime.url);
  expect(hostname).toBe('127.0.0.1');
  expect((await fetch(`http://127.0.0.1:${port}/v1/site`)).status).toBe(404);
  const others = Object.values(networkInterfaces()).flatMap((each = []) => each.filter(({ internal }) => !internal));
  for (const { address } of others.filter(({ family }) => family === 'IPv4')) {
    await expect(fetch(`http://${address}:${port}/v1/site`)).rejects.toThrow('fetch failed');
  }
});
