import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SlurmLabError } from './lab-error.ts';
import { until, type Environment } from './run.ts';

const loggedLines = 15;

export interface DaemonDescription {
  readonly name: string;
  /** One for each of its processes, which stay in the foreground. */
  readonly commands: readonly (readonly string[])[];
  /** Rejects, or resolves with false, as long as the daemon does not answer. */
  readonly answers: () => Promise<boolean>;
  readonly environment: Environment;
  /** The file that takes what it prints. */
  readonly log: string;
}

/** A daemon that can end, by our will or not, and be started again. */
export class Daemon {
  readonly #description: DaemonDescription;
  #running: readonly ChildProcess[] = [];

  constructor(description: DaemonDescription) {
    this.#description = description;
  }

  /** Resolves when the daemon answers. */
  async start(): Promise<void> {
    const { name, commands, answers, log } = this.#description;
    if (this.#running.length > 0) throw new SlurmLabError(`starting ${name}: it still runs`);
    this.#running = commands.map((command) => this.#spawn(command));
    const outcome = await until(`${name} answers`, async () => {
      if (this.#running.length < commands.length) return 'ended';
      return (await answers()) && 'answers';
    });
    if (outcome === 'ended')
      throw new SlurmLabError(`starting ${name}: it ended, and had logged:\n${await endOf(log)}`);
  }

  /** Resolves when the processes have ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const ended = this.#running.map((child) => once(child, 'exit'));
    this.signal(signal);
    await Promise.all(ended);
  }

  signal(signal: NodeJS.Signals): void {
    for (const child of this.#running) child.kill(signal);
  }

  #spawn(command: readonly string[]): ChildProcess {
    const log = openSync(this.#description.log, 'a');
    // The kernel kills the daemon when this process ends, whatever ends it. A session of its own, so that an interrupt at
    // the terminal reaches this process alone.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      env: { ...process.env, ...this.#description.environment },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    child.once('exit', () => {
      this.#running = this.#running.filter((other) => other !== child);
    });
    return child;
  }
}

async function endOf(log: string): Promise<string> {
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  return lines.slice(-loggedLines).join('\n');
}
