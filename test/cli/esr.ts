import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export const program = 'dist/esr.js';

export interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** The built command (`npm run build`) in a process of its own, which does not outlive the test. */
export class Esr {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #closed: Promise<unknown>;

  constructor(...args: string[]) {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.child = child;
    this.#closed = once(child, 'close');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await this.#closed;
    });
  }

  /** When the output matches `pattern`: its first group. */
  async printed(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.stdout)?.[1];
      if (found !== undefined) return found;
      const ended = await Promise.race([this.#closed.then(() => true), sleep(20, false)]);
      if (ended) throw new Error(`it has ended: ${this.stderr}`);
    }
  }

  /** Sends the signal, where one is given, and waits for the end. */
  async end(signal?: NodeJS.Signals): Promise<Result> {
    if (signal !== undefined) this.child.kill(signal);
    await this.#closed;
    return { stdout: this.stdout, stderr: this.stderr, exitCode: this.child.exitCode };
  }

  /** The documents of `--json`, one a line, as far as they have come. */
  get documents(): unknown[] {
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.map((line): unknown => JSON.parse(line));
  }
}

export function esr(...args: string[]): Promise<Result> {
  return new Esr(...args).end();
}

/** Other processes that have `text`, such as the path of a directory, in their command line. */
export async function processesWith(text: string): Promise<number[]> {
  const { stdout } = await new Promise<{ stdout: string }>((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=,args='], { maxBuffer: 1e8 }, (_error, output) => resolve({ stdout: output }));
  });
  const lines = stdout.split('\n').filter((line) => line.includes(text));
  return lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid !== process.pid);
}
