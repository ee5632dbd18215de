import { spawn, type ChildProcess } from 'node:child_process';
import { ProgramError } from './program-error.ts';

export interface ProgramRun {
  /** A path, or a name that is looked up in PATH. No shell reads it or the arguments. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly timeoutMilliseconds: number;
  /** In which it runs, and from which a relative path of it is taken; the gateway's own if left out. */
  readonly directory?: string;
  /** Added to the gateway's own environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** For its standard input, which is empty otherwise. */
  readonly input?: string;
  /** More than this on standard output ends the program; 16 MiB if left out. */
  readonly maxOutputBytes?: number;
}

/** What an answer over HTTP may be at most, too. */
const maxOutputBytesByDefault = 16 * 1024 * 1024;
/** Enough for the messages of a program that fails; what follows is read and dropped, so that it never blocks. */
const maxErrorBytes = 8 * 1024;

const byHand = "run it by hand as the gateway's user";
const mendsOfStart: Readonly<Record<string, string>> = {
  ENOENT: "correct its path in the gateway's config, or install it",
  EACCES: "let the gateway's user execute it",
};

/**
 * Runs a program to its end and resolves with what it wrote to standard output. It gets a process group of its own:
 * at the timeout the whole group is killed, so that a hung child of a script does not outlive it, and a signal from the
 * gateway's terminal does not break off a change.
 * @throws ProgramError
 */
export function runProgram(run: ProgramRun): Promise<string> {
  const command = [run.program, ...run.arguments];
  const { maxOutputBytes = maxOutputBytesByDefault, timeoutMilliseconds } = run;
  return new Promise((resolve, reject) => {
    const child = start(run);
    const output = new BoundedText(maxOutputBytes);
    const errors = new BoundedText(maxErrorBytes);

    const fail = (what: string, mend: string, facts: { timedOut?: boolean; exitCode?: number } = {}) => {
      clearTimeout(timer);
      reject(new ProgramError(command, what, mend, { stderr: errors.text, ...facts }));
    };
    const timer = setTimeout(() => {
      killGroup(child);
      fail(
        `no end after ${timeoutMilliseconds / 1000} s`,
        "see whether the scheduler answers, or give the program more time in the gateway's config",
        { timedOut: true },
      );
    }, timeoutMilliseconds);

    child.stdout?.on('data', (chunk: Buffer) => {
      output.add(chunk);
      if (!output.isCut) return;
      killGroup(child);
      fail(`more than ${maxOutputBytes} bytes of output`, 'let it print less');
    });
    child.stderr?.on('data', (chunk: Buffer) => errors.add(chunk));
    // A program that ends without reading its input is judged by its exit code alone.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(run.input);
    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(notStarted(command, cause));
    });
    child.on('close', (exitCode, signal) => {
      if (exitCode === 0) {
        clearTimeout(timer);
        resolve(output.text);
      } else if (exitCode === null) {
        fail(`ended by ${signal}`, 'find out who ended it and see whether the scheduler has the change');
      } else {
        fail(`exit code ${exitCode}`, byHand, { exitCode });
      }
    });
  });
}

function start(run: ProgramRun): ChildProcess {
  try {
    return spawn(run.program, run.arguments, {
      detached: true,
      cwd: run.directory,
      env: { ...process.env, ...run.environment },
      stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
  } catch (cause) {
    throw notStarted([run.program, ...run.arguments], cause);
  }
}

/** A child outside the group may hold the pipes open for ever, so the gateway lets go of them. */
function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined) {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended by itself.
    }
  }
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
}

function notStarted(command: readonly string[], cause: unknown): ProgramError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new ProgramError(command, `it can't be started (${code})`, mendsOfStart[code] ?? byHand, { cause });
}

/** The beginning of a stream, up to a number of bytes. */
class BoundedText {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  isCut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    const room = this.#maxBytes - this.#bytes;
    const kept = chunk.subarray(0, room);
    this.isCut ||= chunk.length > room;
    this.#bytes += kept.length;
    if (kept.length > 0) this.#chunks.push(kept);
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
