import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Row } from './benchmark.ts';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const exampleSite = fromRoot('examples/hfss.yaml');
export const command = fromRoot('dist/esr.js');
export const functionArtefact = (name: string): string => fromRoot(`dist/functions/${name}/index.mjs`);
export const projectRoot = fromRoot('.');
export const document = fromRoot('docs/benchmarks.md');
/** 110 days of a university's licence server, from the folder of test data that lies beside the project. */
export const log = join(
  process.env['ESR_DATA'] ?? fromRoot('../shared/data'),
  'flexnet-debug-logs/hfss-2017-02-18.log',
);

/** Runs `measure` where all files are there; else one row says which is missing. */
export async function whereThereAre(
  files: readonly string[],
  measure: string,
  run: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  for (const file of files) {
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) continue;
    const mend = file === log ? 'set ESR_DATA to the folder of test data' : 'npm run build makes it';
    return [{ measure, figure: 'skipped', how: `a file is missing; ${mend}` }];
  }
  return run();
}

/** Gives `work` a directory that is removed afterwards. */
export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'esr-bench-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
