// One esbuild call for all that runs: the command, and each function of functions/ as it is deployed.
import { readdir, rm, chmod } from 'node:fs/promises';
import { build } from 'esbuild';

// CommonJS packages inside an ES module bundle call `require`, which a module does not have by itself.
const banner = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};
const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'linked',
  logLevel: 'warning',
};

await rm('dist', { recursive: true, force: true });
const entries = (await readdir('functions')).filter((name) =>
  ['reconcile.ts', 'push-total.ts', 'demand.ts', 'status.ts'].includes(name),
);
await Promise.all([
  build({
    ...common,
    entryPoints: { esr: 'cli/esr.ts' },
    outdir: 'dist',
    banner: { js: `#!/usr/bin/env node\n${banner.js}` },
    // Installed beside the command and started or loaded only by local runs.
    external: ['dynalite'],
  }),
  build({
    ...common,
    entryPoints: entries.map((name) => `functions/${name}`),
    outdir: 'dist/functions',
    outExtension: { '.js': '.mjs' },
    minify: true,
    banner,
  }),
]);
await chmod('dist/esr.js', 0o755);
