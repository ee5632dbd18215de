import { join } from 'node:path';
import pMap from 'p-map';
import type { Broken } from './batch.ts';
import { bundleWorker } from './bundle.ts';
import { Worker } from './crew.ts';
import { mutants } from './mutants.ts';

export interface Caught {
  readonly name: string;
  /** Absent: no seed broke anything. */
  readonly by?: Broken;
}

export interface MutantRun {
  readonly root: string;
  /** For the bundles. */
  readonly directory: string;
  readonly steps: number;
  /** Seeds that a mutant has at most until it must be caught, from 0 on. */
  readonly seeds: number;
  readonly workers: number;
}

/** Each mutant in the order of the list, with what caught it first. */
export async function catchMutants({ root, directory, steps, seeds, workers }: MutantRun): Promise<Caught[]> {
  return pMap(
    mutants.entries(),
    async ([index, { name, patches }]): Promise<Caught> => {
      const file = join(directory, `mutant-${index}.mjs`);
      await bundleWorker(root, file, patches);
      const worker = new Worker(file);
      try {
        const { broken } = await worker.run({ first: 0, seeds, steps, untilBroken: true });
        return { name, ...(broken[0] && { by: broken[0] }) };
      } finally {
        worker.end();
      }
    },
    { concurrency: workers },
  );
}
