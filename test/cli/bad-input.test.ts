import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../local/made-site.ts';
import { esr, program } from './esr.ts';

const site = 'examples/site.yaml';
const trace = 'examples/workload.jsonl';

/** Commands that take a site file, with what else they need. */
const ofSite = [
  ['check', []],
  ['simulate', ['--trace', trace]],
  ['local', ['--port', '0']],
  ['local', ['--lockstep', '--trace', trace]],
  ['replay', []],
] as const;

describe.each(ofSite)('esr %s SITE %j', (command, options) => {
  it('names every fault of a broken site file', async () => {
    const { stderr, exitCode } = await esr(command, 'test/config/broken/site.yaml', ...options);
    expect(stderr).toContain((await readFile('test/config/broken/faults.txt', 'utf8')).split('\n')[0]);
    expect(exitCode).toBe(1);
  });

  it('says that there is no such site file', async () => {
    const { stderr, exitCode } = await esr(command, 'no-such-site.yaml', ...options);
    expect(stderr).toContain('no-such-site.yaml:1:1  found no such file');
    expect(exitCode).toBe(1);
  });

  it('shows how it is used after an unknown option, and does nothing', async () => {
    const { stdout, stderr, exitCode } = await esr(command, site, ...options, '--no-such-option');
    expect(stderr).toContain("error: unknown option '--no-such-option'");
    expect(stderr).toContain(`Usage: esr ${command}`);
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
  });
});

describe.each([
  ['simulate', []],
  ['local', ['--port', '0']],
  ['local', ['--lockstep']],
] as const)('esr %s SITE %j --trace FILE', (command, options) => {
  const withTrace = (file: string) => esr(command, site, ...options, '--trace', file);

  it('says that there is no such trace', async () => {
    const { stderr, exitCode } = await withTrace('no-such-trace.jsonl');
    expect(stderr).toContain('esr: reading trace no-such-trace.jsonl: ENOENT');
    expect(exitCode).toBe(1);
  });

  it('names each broken line of a trace', async () => {
    const file = join(await newFolder(), 'trace.jsonl');
    await writeFile(
      file,
      `${await readFile(trace, 'utf8')}{"submit":"yesterday","needs":{"aa_r":1},"runSeconds":60}\n`,
    );
    const { stderr, exitCode } = await withTrace(file);
    expect(stderr).toContain(`reading trace ${file} line 96: found {"submit":"yesterday"`);
    expect(stderr).toContain('expected submit: a time as in RFC 3339');
    expect(exitCode).toBe(1);
  });

  it('says that a file is no trace', async () => {
    const { stderr, exitCode } = await withTrace(site);
    expect(stderr).toContain(`esr: reading trace ${site}: it is of no known format`);
    expect(exitCode).toBe(1);
  });

  it('says that no job of a trace is for the site', async () => {
    const file = join(await newFolder(), 'trace.jsonl');
    await writeFile(file, '{"submit":"2026-01-05T08:00:00Z","needs":{"spice":1},"runSeconds":60}\n');
    const { stderr, exitCode } = await withTrace(file);
    expect(stderr).toContain('left out of the jobs that need them: spice (1)');
    expect(stderr).toContain('esr: selecting jobs for austin: none of the trace needs a resource that the site has');
    expect(exitCode).toBe(1);
  });
});

it('counts jobs that need what the site does not have without it, and says so', async () => {
  const file = join(await newFolder(), 'trace.jsonl');
  await writeFile(file, '{"submit":"2026-01-05T08:00:00Z","needs":{"aa_r":3,"spice":1},"runSeconds":60}\n');
  const { stdout, stderr, exitCode } = await esr('simulate', site, '--trace', file, '--json');
  expect(stderr).toBe('Not resources of this site, and left out of the jobs that need them: spice (1)\n');
  expect(JSON.parse(stdout)).toMatchObject({ runs: { elastic: { resources: { aa_r: { peakInUse: 3 } } } } });
  expect(exitCode).toBe(0);
});

describe('an option', () => {
  it.each([
    [['simulate', site], "required option '--trace <file>' not specified"],
    [['local', site, '--speed', '0'], "'--speed <factor>' argument '0' is invalid. Give a number above 0."],
    [['local', site, '--port', '65536'], "'--port <number>' argument '65536' is invalid. Give a port from 0 to 65535."],
    [['local', site, '--for', '5'], "'--for <duration>' argument '5' is invalid. Give a duration such as 30s"],
    [['totals', '--from', 'noon'], "'--from <time>' argument 'noon' is invalid. Give a time like"],
    [['trace', 'generate', '--days', 'x'], "'--days <number>' argument 'x' is invalid. Give a whole number."],
    [['no-such-command'], "unknown command 'no-such-command'"],
  ])('%j is refused with what is expected', async (args, message) => {
    const { stdout, stderr, exitCode } = await esr(...args);
    expect(stderr).toContain(`error: ${message.startsWith("'") ? 'option ' : ''}${message}`);
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
  });

  it('--lockstep needs --trace', async () => {
    const { stderr, exitCode } = await esr('local', site, '--lockstep');
    expect(stderr).toBe('esr: stepping through a trace: give it with --trace\n');
    expect(exitCode).toBe(1);
  });
});

it('esr totals says that no site answers', async () => {
  const { stderr, exitCode } = await esr('totals', '--url', 'http://127.0.0.1:1');
  expect(stderr).toContain('esr: reading http://127.0.0.1:1/v1/resources: no answer');
  expect(stderr).toContain('is --url right?');
  expect(exitCode).toBe(1);
});

describe('output that nobody reads to its end', () => {
  it.each([
    ['simulate', site, '--trace', trace, '--json'],
    ['trace', 'generate', '--days', '300'],
    ['check', site, '--show'],
    ['schema'],
  ])('is no fault of esr %s', async (...args) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.destroy();
    await once(child, 'close');
    expect(stderr).not.toMatch(/EPIPE|Error|esr:/);
    expect(child.exitCode).toBe(0);
  });
});
