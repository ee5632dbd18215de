import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Engine } from './engine.ts';
import { EngineError } from './engine-error.ts';
import { portOf } from './engine-port.ts';

/** Runs inside this process, so it ends with it. */
export async function startDynalite(directory: string | undefined): Promise<Engine> {
  if (directory !== undefined) await tryOpening(directory);
  const { default: dynalite } = await import('dynalite');
  const server = dynalite({ ...(directory === undefined ? {} : { path: directory }), createTableMs: 0 });
  // dynalite throws when a client hangs up before its answer, which would end this process; the client knows already.
  server.on('request', (request) => request.removeAllListeners('error').on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ended = once(server, 'close').then(() => undefined);
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
    server.closeAllConnections();
    await closed;
  };
  let stopped: Promise<void> | undefined;
  return {
    kind: 'dynalite',
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    ended,
    stop: () => (stopped ??= close()),
  };
}

interface LevelPackage {
  readonly Level: new (path: string) => { open(): Promise<void>; close(): Promise<void> };
}

/** dynalite opens its database with the first request and throws where nobody can catch it; so open and close it here. */
async function tryOpening(directory: string): Promise<void> {
  const dynalite = createRequire(import.meta.url).resolve('dynalite');
  const { Level }: LevelPackage = createRequire(dynalite)('level');
  const database = new Level(directory);
  try {
    await database.open();
  } catch (error) {
    throw new EngineError(
      `starting dynalite: its database in ${directory} cannot be opened. Stop the other process that uses it, or name another directory.`,
      { cause: error },
    );
  }
  await database.close();
}
