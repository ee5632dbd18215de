import { once } from 'node:events';
import { createServer } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dynoxideBinary } from '../../shared/local/engine-dynoxide.ts';
import { portOf } from '../../shared/local/engine-port.ts';
import { job, madeSite, start, traceFile } from '../local/made-site.ts';
import { until } from '../local/status.ts';
import { Esr, esr, processesWith } from './esr.ts';

const started = /"url":"([^"]+)"/;
const dynoxide = (await dynoxideBinary()) !== undefined;

describe('esr local', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('ends in order at %s and leaves no process behind', async (signal) => {
    const { file, directory } = await madeSite();
    const run = new Esr('local', file, '--data', directory, '--port', '0', '--json');
    await run.printed(started);
    expect(await run.end(signal)).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await processesWith(directory)).toEqual([]);
  });

  it('ends by itself after the time given with --for', async () => {
    const { file, directory } = await madeSite();
    const { stdout, exitCode } = await esr('local', file, '--data', directory, '--port', '0', '--for', '1s');
    expect(stdout).toContain(`Data         ${directory}`);
    expect(exitCode).toBe(0);
    expect(await processesWith(directory)).toEqual([]);
  });

  it('prints one JSON document a line, first where it listens and then the resources', async () => {
    const { file, directory } = await madeSite();
    const run = new Esr('local', file, '--data', directory, '--port', '0', '--json');
    await run.printed(/("resources")/);
    await run.end('SIGINT');
    const [first, second] = run.documents;
    expect(first).toEqual({
      started: {
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        controllerUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        engine: dynoxide ? 'dynoxide' : 'dynalite',
        directory,
        speed: 1,
        continued: false,
      },
    });
    expect(second).toMatchObject({ site: 'munich', resources: [{ name: 'hfsshpc', elastic: true }] });
  });

  it('leaves out what the site does not count, and says so', async () => {
    const made = await madeSite();
    const trace = await traceFile(made, [
      { ...job(start, 1, 60), needs: { hfsshpc: 1, spice: 2 } },
      { ...job(start, 1, 60), needs: { spice: 2 } },
    ]);
    const options = ['--trace', trace, '--data', made.directory, '--port', '0', '--for', '1s'];
    const { stderr, exitCode } = await esr('local', made.file, ...options);
    expect(stderr).toBe('Not resources of this site, and left out of the jobs that need them: spice (2)\n');
    expect(exitCode).toBe(0);
  });

  it('says that another program has its port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const port = String(portOf(server));
    await expectFault([`--port`, port], `listening on 127.0.0.1:${port}: the port is in use`);
  });

  it('says that another run uses its data directory, and leaves that run alone', async () => {
    const { file, directory } = await madeSite();
    const run = new Esr('local', file, '--data', directory, '--port', '0', '--json');
    const url = await run.printed(started);
    const second = await esr('local', file, '--data', directory, '--port', '0');
    expect(second.stderr).toContain(`using the data directory ${directory}: process ${run.child.pid} works on it`);
    expect(second.exitCode).toBe(1);
    expect((await fetch(`${url}/v1/health`)).status).toBe(200);
    expect(await run.end('SIGINT')).toMatchObject({ exitCode: 0 });
  });

  it('says that it cannot write its data directory', async () => {
    const { file } = await madeSite();
    // As a file is there already; permissions would not hold for every user that runs this test.
    const directory = join(file, 'data');
    const { stderr, exitCode } = await esr('local', file, '--data', directory, '--port', '0');
    expect(stderr).toContain(`esr: using the data directory ${directory}: it can't be made or written`);
    expect(exitCode).toBe(1);
  });

  it('says that it cannot write its log, before anything is started', async () => {
    const { file, directory } = await madeSite();
    const options = ['--data', directory, '--port', '0', '--for', '1h', '--log', join(file, 'log')];
    const { stderr, exitCode } = await esr('local', file, ...options);
    expect(stderr).toContain(join(file, 'log'));
    expect(exitCode).toBe(1);
  });

  it('says that its data is damaged', async () => {
    const { file, directory } = await madeSite();
    await mkdir(join(directory, 'controller'), { recursive: true });
    await writeFile(join(directory, 'controller', 'journal.jsonl'), 'nothing of ours\nnothing of ours\n');
    const { stderr, exitCode } = await esr('local', file, '--data', directory, '--port', '0');
    expect(stderr).toContain(join(directory, 'controller', 'journal.jsonl'));
    expect(exitCode).toBe(1);
    expect(await processesWith(directory)).toEqual([]);
  });

  it.skipIf(!dynoxide)('says that its database has ended, and ends too', async () => {
    const { file, directory } = await madeSite();
    const run = new Esr('local', file, '--data', directory, '--port', '0', '--json');
    await run.printed(started);
    for (const pid of await enginesOf(run, directory)) process.kill(pid, 'SIGKILL');
    expect(await run.end()).toMatchObject({
      stderr: expect.stringContaining('esr: dynoxide has ended by itself (SIGKILL)'),
      exitCode: 1,
    });
    expect(await processesWith(directory)).toEqual([]);
  });

  it('ends when nobody reads its output any more', async () => {
    const { file, directory } = await madeSite();
    const run = new Esr('local', file, '--data', directory, '--port', '0', '--speed', '60', '--json');
    await run.printed(started);
    run.child.stdout?.destroy();
    expect(await run.end()).toMatchObject({ stderr: '', exitCode: 0 });
    await until(async () => (await processesWith(directory)).length === 0);
  });
});

async function expectFault(options: readonly string[], message: string): Promise<void> {
  const { file, directory } = await madeSite();
  const { stderr, exitCode } = await esr('local', file, '--data', directory, ...options);
  expect(stderr).toContain(`esr: ${message}`);
  expect(exitCode).toBe(1);
  expect(await processesWith(directory)).toEqual([]);
}

async function enginesOf(run: Esr, directory: string): Promise<number[]> {
  return (await processesWith(directory)).filter((pid) => pid !== run.child.pid);
}
