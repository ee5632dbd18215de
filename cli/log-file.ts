import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { JsonLog } from '../shared/adapters/json-log.ts';
import type { Log } from '../shared/ports.ts';

export interface LogFile {
  readonly log: Log;
  close(): Promise<void>;
}

/** Appends to `file`; without one, what is logged goes nowhere. */
export async function openLog(file: string | undefined): Promise<LogFile> {
  if (file === undefined) return { log: new JsonLog(() => {}), close: async () => {} };
  const stream = createWriteStream(file, { flags: 'a' });
  await once(stream, 'open').catch((error: unknown) => {
    throw new Error(`opening the log ${file}: ${String(error)}; name a file that can be written with --log`, {
      cause: error,
    });
  });
  return {
    log: new JsonLog((line) => stream.write(`${line}\n`)),
    close: async () => {
      stream.end();
      await once(stream, 'finish');
    },
  };
}
