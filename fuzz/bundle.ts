import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build as bundle, type Plugin } from 'esbuild';
import type { Patch } from './mutants.ts';

/** A patch whose text is not in its file just once: the mutant has to follow the code. */
export class PatchDoesNotFit extends Error {
  override readonly name = 'PatchDoesNotFit';
  readonly patch: Patch;

  constructor(patch: Patch, found: number) {
    super(`changing ${patch.file}: its text is there ${found} times and not once; mend fuzz/mutants.ts: ${patch.find}`);
    this.patch = patch;
  }
}

/** The file's text with the patch made. Throws `PatchDoesNotFit`. */
export function patched(text: string, patch: Patch): string {
  const parts = text.split(patch.find);
  if (parts.length !== 2) throw new PatchDoesNotFit(patch, parts.length - 1);
  return parts.join(patch.replace);
}

/** Bundles `worker.ts`, with the patches made to the product's sources on their way in: no source holds a mutant. */
export async function bundleWorker(root: string, outfile: string, patches: readonly Patch[] = []): Promise<void> {
  await bundle({
    entryPoints: [join(root, 'fuzz/worker.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
    plugins: [patching(root, patches)],
  });
}

function patching(root: string, patches: readonly Patch[]): Plugin {
  return {
    name: 'mutant',
    setup(build) {
      const unmade = new Set(patches);
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const ofFile = patches.filter(({ file }) => join(root, file) === path);
        if (ofFile.length === 0) return undefined;
        let contents = await readFile(path, 'utf8');
        for (const patch of ofFile) {
          contents = patched(contents, patch);
          unmade.delete(patch);
        }
        return { contents, loader: 'ts' };
      });
      build.onEnd(() => {
        const [patch] = unmade;
        if (patch !== undefined) throw new PatchDoesNotFit(patch, 0);
      });
    },
  };
}
