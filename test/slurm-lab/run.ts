import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SlurmLabError } from './lab-error.ts';

const runMilliseconds = 20_000;
const lookEveryMilliseconds = 50;
const untilMilliseconds = 30_000;

export type Environment = Readonly<Record<string, string>>;

/** What the program prints. Fails with it, and after 20 s: Slurm's programs wait long for a daemon that hangs. */
export async function run(environment: Environment, program: string, ...args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      env: { ...process.env, ...environment },
      timeout: runMilliseconds,
      killSignal: 'SIGKILL',
      maxBuffer: 2 ** 26,
    });
    return stdout;
  } catch (error) {
    throw new SlurmLabError(`running ${program}: ${String(error)}`, { cause: error });
  }
}

/** Looks until there is something to be seen, for at most 30 s. A look that fails has seen nothing. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + untilMilliseconds;
  let cause: unknown;
  while (Date.now() < end) {
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
    } catch (error) {
      cause = error;
    }
    await sleep(lookEveryMilliseconds);
  }
  throw new SlurmLabError(`waiting until ${what}: not so after ${untilMilliseconds / 1000} s`, { cause });
}
