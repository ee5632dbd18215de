import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startEngine, type Engine } from '../../shared/local/engine.ts';
import { dynoxideBinary, startDynoxide } from '../../shared/local/engine-dynoxide.ts';
import { EngineError } from '../../shared/local/engine-error.ts';
import { freePort, portOf } from '../../shared/local/engine-port.ts';
import { missing, putNumbered } from './engine-data.ts';
import { EngineFixture } from './engine-fixture.ts';

const binary = await dynoxideBinary();

describe.skipIf(binary === undefined)('dynoxide', () => {
  const fixture = new EngineFixture();

  it('has every acknowledged write after a kill -9', async () => {
    const { directory } = fixture;
    const before = await fixture.start({ kind: 'dynoxide', directory });
    let acknowledged = 0;
    const writing = putNumbered(before, 10_000, (number) => {
      acknowledged = number;
      if (number === 200) kill(before);
    });
    await expect(writing).rejects.toThrow(/ECONN|socket/);
    expect(acknowledged).toBeGreaterThanOrEqual(200);
    expect(await missing(await fixture.start({ kind: 'dynoxide', directory }), acknowledged)).toEqual([]);
  });

  it('tells when it has ended by itself, and can be stopped all the same', async () => {
    const engine = await fixture.start({ kind: 'dynoxide' });
    kill(engine);
    const error = await engine.ended;
    expect(error).toBeInstanceOf(EngineError);
    expect(error?.message).toContain('SIGKILL');
    await expect(engine.stop()).resolves.toBeUndefined();
  });

  it('says in its own words why it does not start', async () => {
    await writeFile(join(fixture.directory, 'dynoxide.db'), 'this is not a database, and long enough to be looked at');
    const starting = startEngine({ kind: 'dynoxide', directory: fixture.directory });
    await expect(starting).rejects.toBeInstanceOf(EngineError);
    await expect(starting).rejects.toThrow('not a valid SQLite database');
  });

  it('takes another port when somebody takes its port first', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const ports = [portOf(other), await freePort()];
    const wanted = [...ports];
    const engine = fixture.stopAfterwards(
      await startDynoxide(String(binary), undefined, async () => Number(wanted.shift())),
    );
    expect(engine.endpoint).toBe(`http://127.0.0.1:${ports[1]}`);
    other.close();
  });

  it('does not outlive the process that started it, even after a kill -9 of that', async () => {
    const parent = spawn(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(import.meta.resolve('./engine-parent.ts'))],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [endpoint] = await once(createInterface({ input: parent.stdout }), 'line');
    expect(await answers(String(endpoint))).toBe(true);
    parent.kill('SIGKILL');
    while (await answers(String(endpoint))) await sleep(20);
  });
});

const kill = (engine: Engine): boolean => process.kill(Number(engine.pid), 'SIGKILL');

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    (response) => response.ok,
    () => false,
  );
