// All that runs: the command, and each function of functions/ as it is deployed.
import { chmod, readdir, readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // The packages' ES modules, from which what is not used can be left out.
  mainFields: ['module', 'main'],
  sourcemap: 'linked',
  logLevel: 'warning',
};
// CommonJS packages inside an ES module bundle call `require`, which a module does not have by itself.
const require = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;

/** The files that export a handler; the others of the folder are parts of them. */
async function deployedFunctions() {
  const files = (await readdir('functions')).map((name) => `functions/${name}`);
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return files.filter((_, index) => texts[index].includes('export const handler ='));
}

await rm('dist', { recursive: true, force: true });
await Promise.all([
  build({
    ...common,
    entryPoints: { esr: 'cli/esr.ts' },
    outdir: 'dist',
    banner: { js: `#!/usr/bin/env node\n${require}` },
    // Installed beside the command, and loaded only by local runs without another engine.
    external: ['dynalite'],
  }),
  build({
    ...common,
    entryPoints: await deployedFunctions(),
    outdir: 'dist/functions',
    outExtension: { '.js': '.mjs' },
    minify: true,
    banner: { js: require },
  }),
]);
await chmod('dist/esr.js', 0o755);
