import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { startEngine, type Engine, type EngineKind } from '../../shared/local/engine.ts';
import { dynoxideBinary } from '../../shared/local/engine-dynoxide.ts';

/** The kinds that run on this machine, the preferred one first. */
export const engineKinds: readonly EngineKind[] =
  (await dynoxideBinary()) === undefined ? ['dynalite'] : ['dynoxide', 'dynalite'];

/** A temporary directory for each test, and engines that are stopped after it. */
export class EngineFixture {
  directory = '';
  readonly #running: Engine[] = [];

  constructor() {
    beforeEach(async () => {
      this.directory = await mkdtemp(join(tmpdir(), 'esr-engine-'));
    });
    afterEach(async () => {
      for (const engine of this.#running.splice(0)) await engine.stop();
      await rm(this.directory, { recursive: true });
    });
  }

  async start(options?: Parameters<typeof startEngine>[0]): Promise<Engine> {
    return this.stopAfterwards(await startEngine(options));
  }

  stopAfterwards(engine: Engine): Engine {
    this.#running.push(engine);
    return engine;
  }
}
