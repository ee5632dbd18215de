import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
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
let program: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'journal-crash-'));
  program = join(directory, 'journal-process.mjs');
  const entry = join(import.meta.dirname, 'journal-process.ts');
  await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program });
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
      const child = spawn(process.execPath, [program, journalDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
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

  it('refuses a change for which there is no room, keeps the others, and takes more once there is', async () => {
    const journalDirectory = join(directory, 'full');
    // Files of at most 1 KiB, which is less than 90 changes take.
    const limited = ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, program, journalDirectory, '90'];
    const { stdout } = await run('bash', limited);
    const answers = stdout.trimEnd().split('\n');
    const kept = answers.filter((answer) => answer !== 'JournalWriteError full');
    expect(answers).toHaveLength(90);
    expect(kept.length).toBeLessThan(90);
    expect(lastKept(journalDirectory)).toBe(kept.length);

    const { stdout: later } = await run(process.execPath, [program, journalDirectory, '1']);
    expect(Number(later)).toBe(kept.length + 1);
    expect(lastKept(journalDirectory)).toBe(kept.length + 1);
  });
});
