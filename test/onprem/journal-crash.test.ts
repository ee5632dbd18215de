import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Journal } from '../../onprem/journal.ts';

const run = promisify(execFile);
let directory: string;

/** A program of the tests as plain JavaScript, which starts faster. */
function pathOf(program: string): string {
  return join(directory, `${program}.js`);
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'journal-crash-'));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  await build({
    entryPoints: ['journal-process.ts', 'journal-full-process.ts'].map((name) => join(import.meta.dirname, name)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: directory,
  });
});

afterAll(() => rmSync(directory, { recursive: true }));

/** The last number that the journal has, after a check that it has all the numbers before it. */
function lastKept(journalDirectory: string): number {
  const { journal, saved } = Journal.open<{ upTo: number }, number>(journalDirectory);
  journal.close();
  const first = saved.state?.upTo ?? 0;
  expect(saved.changes).toEqual(saved.changes.map((_, index) => first + 1 + index));
  return first + saved.changes.length;
}

describe('the journal', () => {
  it('has every change that it has taken, and at most one more, however often its process is killed', async () => {
    const journalDirectory = join(directory, 'killed');
    for (let kills = 0; kills < 20; kills += 1) {
      const child = spawn(process.execPath, [pathOf('journal-process'), journalDirectory], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      let acknowledged = 0;
      const lines = createInterface({ input: child.stdout });
      lines.on('line', (line) => (acknowledged = Number(line)));
      await once(lines, 'line');
      await setTimeout(Math.random() * 40);
      child.kill('SIGKILL');
      await Promise.all([exited, once(lines, 'close')]);

      const kept = lastKept(journalDirectory);
      expect(kept).toBeGreaterThanOrEqual(acknowledged);
      expect(kept).toBeLessThanOrEqual(acknowledged + 1);
    }
  });

  it('refuses what there is no room for, keeps the rest, and has room again for what fits', async () => {
    const journalDirectory = join(directory, 'full');
    const program = [process.execPath, pathOf('journal-full-process'), journalDirectory];
    const { stdout } = await run('bash', ['-c', 'ulimit -f 1; exec "$0" "$@"', ...program]);
    expect(stdout.split('\n')).toEqual(['kept', 'full', 'kept', 'full', 'kept', '']);

    const { journal, saved, cutBytes } = Journal.open(journalDirectory);
    journal.close();
    expect({ ...saved, cutBytes }).toEqual({ state: undefined, changes: ['first', 'second', 'third'], cutBytes: 0 });
  });
});
