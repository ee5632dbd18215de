import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerTrace } from '../../cli/commands/trace.ts';
import { esr } from '../cli/esr.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'esr-trace-command-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Runs `esr trace` here; for options that it refuses. */
async function refused(...parameters: string[]): Promise<string> {
  let stderr = '';
  const program = new Command('esr').exitOverride().configureOutput({ writeErr: (text) => void (stderr += text) });
  registerTrace(program);
  const ended = program.parseAsync(['trace', ...parameters], { from: 'user' });
  await expect(ended).rejects.toMatchObject({ exitCode: 1 });
  return stderr;
}

const script = `
  import { Command } from 'commander';
  import { registerTrace } from './cli/commands/trace.ts';
  const program = new Command('esr');
  registerTrace(program);
  await program.parseAsync(['trace', ...process.argv.slice(1)], { from: 'user' });
`;

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `esr trace` in a process of its own; for what it reads from and writes to pipes. */
function trace(parameters: string[], stdin = ''): Promise<Ended> {
  return new Promise((ended) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script, '--', ...parameters],
      { cwd: resolve(import.meta.dirname, '../..') },
      (_, stdout, stderr) => ended({ exitCode: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end(stdin);
  });
}

const job = (submit: string) => `{"submit":"${submit}","needs":{"a":2},"runSeconds":3600,"user":"u@h"}\n`;
const twoJobs = job('2026-01-05T09:30:00.000Z') + job('2026-01-06T09:30:00.000Z');

describe('esr trace convert', () => {
  it('turns JSON lines into a FlexNet debug log and back, with the report on standard error', async () => {
    const log = await trace(['convert', '-', '--to-format', 'flexnet'], twoJobs);
    expect(log).toMatchObject({ exitCode: 0, stderr: 'JSON lines with jobs: 2\nJobs written: 2\n' });
    expect(log.stdout).toContain(' 9:30:00 (traced) OUT: "a" u@h  (2 licenses)\n');

    const back = await trace(['convert', '-'], log.stdout);
    expect(back).toMatchObject({ exitCode: 0, stdout: twoJobs });
    expect(back.stderr).toContain('OUT: 2, without IN');
  });

  it('keeps the jobs from one time up to another, and writes to a file', async () => {
    const out = join(folder, 'cut.jsonl');
    const cut = ['--from', '2026-01-05T09:30:00Z', '--to', '2026-01-06', '--out', out];
    const stderr = 'JSON lines with jobs: 2\nJobs written: 1\n';
    expect(await trace(['convert', '-', ...cut], twoJobs)).toEqual({ exitCode: 0, stdout: '', stderr });
    expect(await readFile(out, 'utf8')).toBe(job('2026-01-05T09:30:00.000Z'));
  });

  it('names every fault of a trace and exits with 1', async () => {
    const path = join(folder, 'broken.jsonl');
    await writeFile(path, `{\n${twoJobs}{}\n`);
    const { stderr, exitCode } = await esr('trace', 'convert', path);
    expect(stderr).toMatch(
      /^esr: reading trace .*: 2 lines hold no job\nreading trace .* line 1: .*\nreading trace .* line 4: .*\n$/,
    );
    expect(exitCode).toBe(1);
  });

  it('refuses a time that is none', async () => {
    expect(await refused('convert', '-', '--from', 'yesterday')).toContain('Give a time like 2026-01-05T09:30:00Z');
  });
});

describe('esr trace generate', () => {
  it('writes a trace that can be counted', async () => {
    const generated = await trace(['generate', '--days', '1', '--resource', 'a=50', '--resource', 'b=60']);
    expect(generated).toMatchObject({ exitCode: 0, stderr: '' });
    const counted = await trace(['stats', '-', '--json'], generated.stdout);
    expect(JSON.parse(counted.stdout)).toMatchObject([{ feature: 'a' }, { feature: 'b' }]);
  });

  it('refuses more jobs than fit, and says how many would do', async () => {
    const { stderr, exitCode } = await esr('trace', 'generate', '--resource', 'a=1', '--jobs-per-hour', '100');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^esr: generating a trace: 100 jobs an hour .* at most 0\.\d\d jobs an hour/);
  });

  it.each([
    ['--resource', 'a'],
    ['--resource', 'a=0'],
    ['--days', '-1'],
    ['--jobs-per-hour', '0'],
  ])('refuses %s %s', async (option, value) => {
    expect(await refused('generate', option, value)).toContain(`option '${option}`);
  });
});

describe('esr trace stats', () => {
  it('prints a table', async () => {
    const { exitCode, stdout } = await trace(['stats', '-'], twoJobs);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/feature +│ checkouts │ most out │ at \(UTC\) +│ token-hours │ still out/);
    expect(stdout).toMatch(/a +│ +2 │ +2 │ 2026-01-05 09:30:00 │ +4\.0 │ +0 /);
  });

  it('prints JSON', async () => {
    const { stdout } = await trace(['stats', '-', '--json'], twoJobs);
    expect(JSON.parse(stdout)).toEqual([
      { feature: 'a', checkouts: 2, peak: 2, peakAt: '2026-01-05T09:30:00.000Z', tokenHours: 4, stillOut: 0 },
    ]);
  });
});
