// All that runs: the command, and each function of functions/ as it is deployed.
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/** The files that export a handler, each with the folder that is deployed; the others are parts of them. */
async function deployedFunctions() {
  const files = await readdir('functions');
  const texts = await Promise.all(files.map((file) => readFile(`functions/${file}`, 'utf8')));
  return files
    .filter((_, index) => texts[index].includes('export const handler ='))
    .map((file) => ({ in: `functions/${file}`, out: `${file.replace(/\.ts$/, '')}/index` }));
}

await rm('dist', { recursive: true, force: true });
const [, { metafile }] = await Promise.all([
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
    metafile: true,
    banner: { js: require },
  }),
]);
await chmod('dist/esr.js', 0o755);
// What is in each artefact, for the test that holds the functions' roles to their code.
await writeFile('dist/functions.meta.json', JSON.stringify(metafile));
