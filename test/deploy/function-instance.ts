import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';

/** Throws what the function has thrown. */
export class FunctionFailed extends Error {
  override readonly name = 'FunctionFailed';
}

const answer = z.object({ result: z.unknown().optional(), error: z.string().optional() });

/** One instance of a function: a process that has one event at a time. */
export class FunctionInstance {
  /** Of the Node that runs it. */
  readonly nodeVersion: string;
  readonly #process: ChildProcess;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(nodeVersion: string, child: ChildProcess) {
    this.nodeVersion = nodeVersion;
    this.#process = child;
  }

  /** The process has the environment that is given, and nothing of ours. `write` gets each line of its log. */
  static async start(options: {
    readonly node: string;
    /** Folder of `index.mjs`. */
    readonly code: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly write: (line: string) => void;
  }): Promise<FunctionInstance> {
    const { node, code, environment, write } = options;
    const parameters = [join(import.meta.dirname, 'function-process.ts'), join(code, 'index.mjs')];
    const child = spawn(node, parameters, { env: environment, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on('line', write);
    const { version } = z.object({ version: z.string() }).parse(await messageOf(child));
    return new FunctionInstance(version, child);
  }

  /** Throws `FunctionFailed`. */
  invoke(event: unknown): Promise<unknown> {
    const result = this.#last.then(async () => {
      this.#process.send(Object(event));
      const { result, error } = answer.parse(await messageOf(this.#process));
      if (error !== undefined) throw new FunctionFailed(error);
      return result;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  async end(): Promise<void> {
    await this.#last;
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new FunctionFailed('its process has ended');
  });
  try {
    const [message]: unknown[] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message;
  } finally {
    waiting.abort();
    await ended.catch(() => undefined);
  }
}
