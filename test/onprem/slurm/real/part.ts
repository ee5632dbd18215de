import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from './eventually.ts';

/** The built command (`npm run build`) in a process of its own, which can be killed and started again. */
export class Part {
  /** All that it has printed, in all its lives. */
  output = '';
  readonly #args: readonly string[];
  readonly #ready: RegExp;
  #child: ChildProcess | undefined;

  /** `ready`: what it prints once it serves. */
  constructor(args: readonly string[], ready: RegExp) {
    this.#args = args;
    this.#ready = ready;
  }

  /** Resolves when it serves. */
  async start(): Promise<void> {
    const printedBefore = this.output.length;
    // The kernel kills it when this process ends, whatever ends it.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', process.execPath, 'dist/esr.js', ...this.#args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    const printed = (): string => this.output.slice(printedBefore);
    const outcome = await eventually(`esr ${this.#args[0]} serves`, async () => {
      if (child.exitCode !== null) return 'ended';
      return this.#ready.test(printed()) && 'serves';
    });
    if (outcome === 'ended') throw new Error(`starting esr ${this.#args[0]}: it has ended: ${printed()}`);
  }

  /** By SIGKILL. Resolves when it has ended, and at once where it does not run. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
}
