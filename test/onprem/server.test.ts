import { appendFileSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startController } from '../../onprem/server.ts';
import { DirectoryInUse } from '../../shared/adapters/take-directory.ts';
import { PortInUse } from '../../shared/adapters/http/server.ts';
import { CallVerifier } from '../../shared/adapters/signing/call-token.ts';
import { rawServer } from '../adapters/http/raw-server.ts';
import { keyListOf } from '../adapters/signing/party.ts';
import { ManualClock } from './manual-clock.ts';
import { newParties, RunningSite, type Parties } from './running-site.ts';
import { configOf, job, minute, start, update } from './support.ts';

let parties: Parties;

beforeAll(async () => {
  parties = await newParties();
});

function submit(site: RunningSite, id: string, tokens: number, submitAt = start): Promise<unknown> {
  const { needs, runSeconds } = job(id, { hfsshpc: tokens });
  return site.call('worker', 'POST', '/v1/jobs', [{ id, needs, runSeconds, submit: new Date(submitAt).toISOString() }]);
}

describe('a controller that is restarted', () => {
  it('has the totals, leases, counts and jobs that it had, and another epoch of its own', async () => {
    const site = await RunningSite.start(parties);
    await site.putTotal(update({ sequence: 7 }));
    await site.call('site', 'PUT', '/v1/provider-leases/one', { holder: 'blue', ttlSeconds: 600 });
    const count = { inUse: 9, issued: 20, source: 'lmstat', at: new Date(start).toISOString() };
    await site.call('reporter', 'PUT', '/v1/shared-resources/hfsshpc/observed', count);
    for (const [id, tokens] of [
      ['a', 16],
      ['b', 8],
    ] as const)
      await submit(site, id, tokens);
    await site.stop();
    site.clock.set(start + minute);
    await site.start();

    expect(await site.observe()).toMatchObject({
      body: {
        controllerEpoch: 2,
        resources: [{ total: 20, epoch: 1, sequence: 7, inUse: 16, observed: { inUse: 9 } }],
        waiting: [{ jobs: 1, needs: { hfsshpc: 8 }, waitingSeconds: 60 }],
      },
    });
    const lease = await site.call('site', 'PUT', '/v1/provider-leases/one', { holder: 'green', ttlSeconds: 600 });
    expect(lease).toMatchObject({ status: 409, body: { holder: 'blue' } });
    expect(await site.putTotal(update({ sequence: 6 }))).toMatchObject({ status: 409, body: { sequence: 7 } });
  });

  it('goes on after a crash in the middle of a write, and says what it cut off', async () => {
    const site = await RunningSite.start(parties);
    await site.putTotal(update());
    await site.stop();
    appendFileSync(join(site.directory, 'journal.jsonl'), '0badc0de {"change":');
    await site.start();

    expect(site.warnings).toMatchObject([{ cutBytes: 19 }]);
    expect(await site.observe()).toMatchObject({ body: { resources: [{ total: 20 }] } });
  });

  it('is the same after its journal was compacted', async () => {
    const site = await RunningSite.start(parties);
    await site.putTotal(update());
    await submit(site, 'a', 16);
    await submit(site, 'b', 8);
    const size = (): number => statSync(join(site.directory, 'journal.jsonl')).size;
    for (let last = 0; size() >= last;) {
      last = size();
      // Jobs of no length leave nothing but their trace in the journal.
      const jobs = Array.from({ length: 3_000 }, (_, index) => ({ id: `${last}-${index}`, needs: {}, runSeconds: 0 }));
      await site.call('worker', 'POST', '/v1/jobs', jobs);
    }
    expect(size()).toBeLessThan(10_000);
    await site.stop();
    await site.start();

    expect(await site.observe()).toMatchObject({
      body: { controllerEpoch: 2, resources: [{ total: 20, sequence: 1, inUse: 16 }], waiting: [{ jobs: 1 }] },
    });
  });
});

describe('a second controller that is started by mistake', () => {
  it('does not start and leaves the journal alone', async () => {
    const site = await RunningSite.start(parties);
    const path = join(site.directory, 'journal.jsonl');
    const before = readFileSync(path);
    const second = startController({
      config: configOf('hfsshpc'),
      keys: await keyListOf(),
      directory: site.directory,
      host: '127.0.0.1',
      port: Number(new URL(site.url).port),
      clock: site.clock,
      log: { info: () => {}, warn: () => {}, alarm: () => {} },
    });

    await expect(second).rejects.toThrow(PortInUse);
    expect(readFileSync(path)).toEqual(before);
  });

  it('does not start on another port either, while the process of the first one lives', async () => {
    const site = await RunningSite.start(parties);
    await site.stop();
    writeFileSync(join(site.directory, 'process'), String(process.ppid));
    await expect(site.start()).rejects.toThrow(DirectoryInUse);
  });
});

describe('a controller that is closed', () => {
  it('may be closed again', async () => {
    const controller = await startController({
      config: configOf('hfsshpc'),
      keys: await keyListOf(),
      directory: mkdtempSync(join(tmpdir(), 'controller-')),
      host: '127.0.0.1',
      port: 0,
      clock: new ManualClock(),
      log: { info: () => {}, warn: () => {}, alarm: () => {} },
    });
    await Promise.all([controller.close(), controller.close()]);
    await expect(controller.close()).resolves.toBeUndefined();
  });
});

describe('demand', () => {
  /** A site's API that takes down who told it that jobs wait. */
  async function startApi(): Promise<{ url: string; calls: unknown[] }> {
    const verifier = new CallVerifier({ keys: await keyListOf(...Object.values(parties)), audience: 'munich' });
    const calls: unknown[] = [];
    const origin = await rawServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const token = (request.headers.authorization ?? '').replace('Bearer ', '');
      const { role } = await verifier.verify(token, { method: 'POST', url: `${origin}/v1/demand`, body });
      calls.push({ role, body: JSON.parse(body.toString()) });
      response.writeHead(202).end();
    });
    return { url: `${origin}/v1/demand`, calls };
  }

  const told = { role: 'controller', body: { site: 'munich' } };

  it('is told to the site when a job begins to wait, and not when it starts at once', async () => {
    const { url, calls } = await startApi();
    const site = await RunningSite.start(parties, { demand: { url: () => url, key: parties.controller.key } });
    await submit(site, 'a', 8);
    await submit(site, 'b', 8);
    await expect.poll(() => calls).toEqual([told]);

    await submit(site, 'c', 8);
    await expect.poll(() => calls).toEqual([told, told]);
  });

  it('is told when the submit time of a job comes, without a call from outside', async () => {
    const { url, calls } = await startApi();
    const site = await RunningSite.start(parties, { demand: { url: () => url, key: parties.controller.key } });
    await submit(site, 'a', 8);
    await submit(site, 'b', 8, start + minute);
    site.clock.set(start + minute - 1);
    expect(calls).toEqual([]);

    site.clock.set(start + minute);
    await expect.poll(() => calls).toEqual([told]);
  });

  it('is told again after a restart, as the site may not have heard', async () => {
    const { url, calls } = await startApi();
    const site = await RunningSite.start(parties, { demand: { url: () => url, key: parties.controller.key } });
    await submit(site, 'a', 8);
    await submit(site, 'b', 8);
    await expect.poll(() => calls).toHaveLength(1);
    await site.stop();
    await site.start();

    await expect.poll(() => calls).toEqual([told, told]);
  });

  it('that cannot be told is logged and disturbs nothing', async () => {
    const url = await rawServer((_, response) => response.writeHead(500).end());
    const site = await RunningSite.start(parties, { demand: { url: () => url, key: parties.controller.key } });
    await submit(site, 'a', 8);
    await submit(site, 'b', 8);

    await expect.poll(() => site.warnings).toMatchObject([{ message: expect.stringContaining('jobs wait') }]);
    expect(await site.observe()).toMatchObject({ status: 200 });
  });

  it('leaves no timer behind when the controller is stopped', async () => {
    const site = await RunningSite.start(parties);
    await submit(site, 'a', 8);
    expect(site.clock.sleeping).toBe(1);

    await site.stop();
    expect(site.clock.sleeping).toBe(0);
  });
});
