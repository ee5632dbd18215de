import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startDynalite } from './engine-dynalite.ts';
import { dynoxideBinary, startDynoxide } from './engine-dynoxide.ts';
import { EngineError } from './engine-error.ts';

export type EngineKind = 'dynoxide' | 'dynalite';

/** A database of this machine that speaks DynamoDB's protocol on a port of 127.0.0.1. */
export interface Engine {
  readonly kind: EngineKind;
  readonly endpoint: string;
  /** Of its process, where it has its own. */
  readonly pid?: number;
  /** Settles when the engine has ended: with an error unless `stop` ended it. */
  readonly ended: Promise<EngineError | undefined>;
  stop(): Promise<void>;
}

/**
 * Starts the database and waits until it answers. It keeps its data in `directory` (made where it is missing), or in
 * memory where none is given. `auto` takes dynoxide where its package is installed and dynalite elsewhere, but stays
 * with the kind that has written the directory before. Throws `EngineError`.
 */
export async function startEngine({
  directory,
  kind = 'auto',
}: { directory?: string; kind?: EngineKind | 'auto' } = {}): Promise<Engine> {
  if (directory !== undefined) await makeWritable(directory);
  const binary = kind === 'dynalite' ? undefined : await dynoxideBinary();
  if (kind === 'dynoxide' && binary === undefined) {
    throw new EngineError('starting dynoxide: @dynoxide/linux-x64 is not installed. Install it, or use dynalite.');
  }
  if (binary === undefined || (kind === 'auto' && (await isOfDynalite(directory)))) {
    return startDynalite(directory && dataOf('dynalite', directory));
  }
  return startDynoxide(binary, directory && dataOf('dynoxide', directory));
}

/** What a process needs in its environment to use the engine; local engines take any region and credentials. */
export function engineEnvironment(engine: Pick<Engine, 'endpoint'>): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
}

const dataOf = (kind: EngineKind, directory: string): string =>
  join(directory, kind === 'dynoxide' ? 'dynoxide.db' : 'dynalite');

async function isOfDynalite(directory: string | undefined): Promise<boolean> {
  if (directory === undefined) return false;
  return (await exists(dataOf('dynalite', directory))) && !(await exists(dataOf('dynoxide', directory)));
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function makeWritable(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    await access(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EngineError(
      `preparing the data directory ${directory}: it cannot be made or written. Name another or change its permissions.`,
      { cause: error },
    );
  }
}
