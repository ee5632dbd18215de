import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { registerCheck } from '../../cli/commands/check.ts';
import { loadSiteFile } from '../../shared/config/load.ts';
import { showSite } from '../../shared/config/show.ts';

const broken = 'test/config/broken/site.yaml';

const { exitCode } = process;

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = exitCode;
});

/** What the command prints, and its exit code. */
async function check(...args: string[]) {
  const stdout = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const stderr = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  process.exitCode = undefined;
  const program = new Command('esr').exitOverride();
  registerCheck(program);
  await program.parseAsync(['check', ...args], { from: 'user' });
  const textOf = (spy: typeof stdout) => spy.mock.calls.map(([line]) => `${line}\n`).join('');
  return { stdout: textOf(stdout), stderr: textOf(stderr), exitCode: process.exitCode };
}

describe('esr check', () => {
  it.each([
    ['examples/site.yaml', 3, 2],
    ['examples/hfss.yaml', 5, 5],
  ])('finds no fault in %s', async (path, resources, elastic) => {
    expect(await check(path)).toEqual({
      stdout: `${path}: ok, ${resources} resources, ${elastic} elastic\n`,
      stderr: '',
      exitCode: undefined,
    });
  });

  it('prints one line for each fault, and their number', async () => {
    const { stdout, stderr, exitCode } = await check(broken);
    expect(stderr).toBe(await readFile('test/config/broken/faults.txt', 'utf8'));
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
  });

  it('speaks of one fault in the singular', async () => {
    const { stderr, exitCode } = await check('examples/no-such-site.yaml');
    expect(stderr).toBe(
      'examples/no-such-site.yaml:1:1  found no such file, expected a file in UTF-8 of at most 10 MB that this user may read\n' +
        'examples/no-such-site.yaml: 1 fault\n',
    );
    expect(exitCode).toBe(1);
  });

  it('shows the file as it is understood', async () => {
    const { stdout, exitCode } = await check('examples/site.yaml', '--show');
    expect(stdout).toBe(showSite(await loadSiteFile('examples/site.yaml')));
    expect(stdout).toContain('borrowAfter: 0s # default\n');
    expect(exitCode).toBeUndefined();
  });

  it('shows nothing of a file with faults', async () => {
    expect(await check(broken, '--show')).toMatchObject({ stdout: '', exitCode: 1 });
  });
});

describe('esr check --json', () => {
  it('prints one document about a file without fault', async () => {
    const { stdout, exitCode } = await check('examples/site.yaml', '--json');
    expect(JSON.parse(stdout)).toEqual({
      file: 'examples/site.yaml',
      ok: true,
      resources: 3,
      elastic: 2,
      policyDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(exitCode).toBeUndefined();
  });

  it('holds the file as it is understood, when asked to show it', async () => {
    const { stdout } = await check('examples/site.yaml', '--json', '--show');
    const { file } = await loadSiteFile('examples/site.yaml');
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, site: file });
  });

  it('holds the faults of a file, each in its parts', async () => {
    const { stdout, stderr, exitCode } = await check(broken, '--json');
    const document: unknown = JSON.parse(stdout);
    expect(document).toMatchObject({ file: broken, ok: false });
    expect(document).toHaveProperty('faults[4]', {
      file: 'test/config/broken/resources.yaml',
      line: 7,
      column: 22,
      path: 'resources.hfsshpc.elastic.providerOrder',
      found: '"cheepest"',
      expected: 'cheapest (did you mean this?)',
    });
    expect(stderr).toBe('');
    expect(exitCode).toBe(1);
  });
});
