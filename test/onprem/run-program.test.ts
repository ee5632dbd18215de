import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProgramError } from '../../onprem/program-error.ts';
import { runProgram, type ProgramRun } from '../../onprem/run-program.ts';
import { SchedulerError } from '../../onprem/scheduler.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-program-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

function node(script: string, over: Partial<ProgramRun> = {}): Promise<string> {
  return runProgram({
    program: process.execPath,
    arguments: ['-e', script],
    timeoutMilliseconds: 30_000,
    ...over,
  });
}

async function failureOf(run: Promise<string>): Promise<ProgramError> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProgramError)) throw new TypeError(`expected a ProgramError, got ${String(error)}`);
  return error;
}

describe('a program that ends well', () => {
  it('resolves with what it wrote to standard output, and not with what it wrote to standard error', async () => {
    const output = await node(`console.error('a warning'); process.stdout.write('Lizenz €\\n')`);
    expect(output).toBe('Lizenz €\n');
  });

  it('gets its arguments as they are, unread by any shell', async () => {
    const odd = ['two words', '$HOME', '; exit 1', `"'`, ''];
    const output = await node('console.log(JSON.stringify(process.argv.slice(1)))', {
      arguments: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...odd],
    });
    expect(JSON.parse(output)).toEqual(odd);
  });

  it("has the gateway's environment, what is added to it, and its input", async () => {
    const script = `process.stdin.pipe(process.stdout); process.stdout.write(process.env.EXTRA + (process.env.PATH ? '+' : '-'))`;
    expect(await node(script, { environment: { EXTRA: 'extra' }, input: 'the input' })).toBe('extra+the input');
  });

  it('has an empty input where none is given, so that nothing waits for a terminal', async () => {
    expect(await node(`process.stdin.on('data', () => {}).on('end', () => console.log('over'))`)).toBe('over\n');
  });

  it('may leave its input unread', async () => {
    expect(await node('', { input: 'x'.repeat(1_000_000) })).toBe('');
  });

  it('never blocks on a long standard error', async () => {
    expect(await node(`process.stderr.write('x'.repeat(1_000_000), () => console.log('done'))`)).toBe('done\n');
  });
});

describe('a program that fails', () => {
  it('is named with its exit code, the first line of its standard error, and the mend', async () => {
    const error = await failureOf(node(`console.error('\\ndenied: no rights\\nmore'); process.exitCode = 3`));
    expect(error).toBeInstanceOf(SchedulerError);
    expect(error.message).toMatch(
      /^running .*node -e .*: exit code 3, saying "denied: no rights"; run it by hand as the gateway's user$/,
    );
    expect(error).toMatchObject({ exitCode: 3, timedOut: false, stderr: '\ndenied: no rights\nmore\n' });
  });

  it('is named with the signal that ended it', async () => {
    const error = await failureOf(node(`process.kill(process.pid, 'SIGTERM')`));
    expect(error.message).toContain('ended by SIGTERM');
    expect(error).toMatchObject({ timedOut: false });
    expect(error.exitCode).toBeUndefined();
  });

  it('says what to do where there is no such program', async () => {
    const error = await failureOf(node('', { program: join(folder, 'absent') }));
    expect(error.message).toContain("can't be started (ENOENT); correct its path in the gateway's config");
  });

  it('says what to do where the program may not be executed', async () => {
    const program = join(folder, 'plain');
    await writeFile(program, 'no program', { mode: 0o644 });
    const error = await failureOf(node('', { program }));
    expect(error.message).toContain("can't be started (EACCES); let the gateway's user execute it");
  });

  it('is an error of the same kind where the system refuses the arguments', async () => {
    const error = await failureOf(node('', { arguments: ['x'.repeat(10_000_000)] }));
    expect(error.message).toContain("can't be started (E2BIG)");
  });

  it('shows nothing of its standard error that a terminal obeys, and only the beginning of a long one', async () => {
    const error = await failureOf(node(`console.error('\\u001b[2J' + 'x'.repeat(100_000)); process.exitCode = 1`));
    expect(error.message).toContain('\\\\u{1b}[2J');
    expect(error.message.length).toBeLessThan(400);
    expect(error.stderr.length).toBe(8 * 1024);
  });
});

describe('a program that does not end', () => {
  it('is killed at the timeout together with the children that it waits for', async () => {
    const alive = join(folder, 'alive');
    const program = join(folder, 'hangs');
    await writeFile(program, `#!/bin/sh\nsh -c 'echo $$ >${alive}; exec sleep 1000'\necho never\n`, { mode: 0o755 });
    const error = await failureOf(runProgram({ program, arguments: [], timeoutMilliseconds: 1_000 }));
    expect(error.message).toContain('no end after 1 s; see whether the scheduler answers');
    expect(error).toMatchObject({ timedOut: true });
    const child = (await readFile(alive, 'utf8')).trim();
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  it('is given up at the timeout even where a child that left its group holds its output open', async () => {
    const pidFile = join(folder, 'pid');
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' });
      require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
      child.unref();`;
    const error = await failureOf(node(script, { timeoutMilliseconds: 2_000 }));
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
    expect(error).toMatchObject({ timedOut: true });
  });

  it('is killed when it prints more than is allowed', async () => {
    const error = await failureOf(
      node(`setInterval(() => console.log('x'.repeat(1_000)), 1)`, { maxOutputBytes: 10_000 }),
    );
    expect(error.message).toContain('more than 10000 bytes of output; let it print less');
  });
});

/** A killed orphan may stay a zombie until its new parent has looked at it. */
async function isRunning(pid: string): Promise<boolean> {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X');
  return !/\) [ZX]/.test(state);
}
