import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import { EngineError } from './engine-error.ts';
import { freePort } from './engine-port.ts';

const startAttempts = 5;
const startMilliseconds = 10_000;
const stopMilliseconds = 5_000;
/** Enough for a panic's message. */
const keptStderrCharacters = 4_000;

/** Where the package is installed, the path of its program; made executable where an unpacker dropped that bit. */
export async function dynoxideBinary(): Promise<string | undefined> {
  let packageFile: string;
  try {
    packageFile = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
  } catch {
    return undefined;
  }
  const binary = join(dirname(packageFile), 'dynoxide');
  try {
    await access(binary, constants.X_OK).catch(() => chmod(binary, 0o755));
  } catch (error) {
    throw new EngineError(`preparing ${binary}: it is not executable. Run chmod +x on it, or use dynalite.`, {
      cause: error,
    });
  }
  return binary;
}

/** `pickPort` names a port that is free now; if somebody else takes it before dynoxide does, the next one is tried. */
export async function startDynoxide(
  binary: string,
  databaseFile: string | undefined,
  pickPort: () => Promise<number> = freePort,
): Promise<Engine> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await serve(binary, databaseFile, await pickPort());
    } catch (error) {
      const portTaken = error instanceof EngineError && error.message.includes('already in use');
      if (!portTaken || attempt === startAttempts) throw error;
    }
  }
}

async function serve(binary: string, databaseFile: string | undefined, port: number): Promise<Engine> {
  const child = spawn(
    binary,
    ['serve', '--host', '127.0.0.1', '--port', String(port), ...(databaseFile ? ['--db-path', databaseFile] : [])],
    // In its own process group, so that Ctrl-C in a terminal reaches this process alone, which then stops it in order.
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const { listening, end } = follow(child);
  const answer = await Promise.race([
    listening,
    end,
    sleep(startMilliseconds, new EngineError('starting dynoxide: it has not answered in 10 s. Use dynalite.'), {
      ref: false,
    }),
  ]);
  if (answer instanceof EngineError) {
    child.kill('SIGKILL');
    throw answer;
  }
  const { pid } = child;
  const watchdog = endWithThisProcess(Number(pid));
  let stopping = false;
  const ended = end.then((error) => {
    watchdog.kill();
    return stopping ? undefined : error;
  });
  return {
    kind: 'dynoxide',
    endpoint: `http://127.0.0.1:${port}`,
    ...(pid === undefined ? {} : { pid }),
    ended,
    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
      await ended;
      clearTimeout(impatience);
    },
  };
}

/** `listening`: by its own word, since an answer on the port could be another program's. `end`: with its last words. */
function follow(child: ChildProcessByStdio<null, null, Readable>): {
  listening: Promise<void>;
  end: Promise<EngineError>;
} {
  let stderr = '';
  const listening = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-keptStderrCharacters);
      if (stderr.includes('listening on')) resolve();
    });
  });
  const end = new Promise<EngineError>((resolve) => {
    child.once('error', (cause) =>
      resolve(new EngineError('starting dynoxide: it cannot be run here. Use dynalite.', { cause })),
    );
    child.once('close', (code, signal) =>
      resolve(new EngineError(`dynoxide has ended by itself (${signal ?? `exit code ${code}`}): ${stderr.trim()}`)),
    );
  });
  return { listening, end };
}

/** However this process ends, `kill -9` included: its end of the pipe closes then, and the shell's `read` comes back. */
function endWithThisProcess(pid: number): ChildProcess {
  const watchdog = spawn('/bin/sh', ['-c', 'read -r _; kill "$0"', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.once('error', (error) =>
    process.emitWarning(`dynoxide (process ${pid}) will go on if this process is killed: ${error.message}`),
  );
  return watchdog;
}
