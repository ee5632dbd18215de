import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { functions } from '../functions/manifest.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { median, millis, times, timedRuns } from './figures.ts';
import { command, exampleSite, functionArtefact, projectRoot, whereThereAre, withDirectory } from './places.ts';
import { runNode } from './process.ts';

const runs = 5;
const measure = 'start';

/** What is paid before anything is done: by whoever types the command, and by a function's cold start. */
export const start: Benchmark = {
  name: 'start',
  run: () =>
    whereThereAre([command, ...functions.map(({ name }) => functionArtefact(name))], measure, async () => [
      await commandRow(['--version']),
      await commandRow(['check', exampleSite]),
      ...(await functionRows()),
    ]),
};

async function commandRow(parameters: readonly string[]): Promise<Row> {
  const all = await timedRuns(runs, () => runNode([command, ...parameters]));
  const nothing = await timedRuns(runs, () => runNode(['--eval', '']));
  return {
    measure: `esr ${parameters[0] ?? ''}`,
    figure: millis(median(all)),
    how: `whole process, median of ${runs}; Node alone takes ${millis(median(nothing))}`,
  };
}

async function functionRows(): Promise<Row[]> {
  return withDirectory(async (directory) => {
    const client = await measureArtefact(await bundleClient(directory));
    const rows: Row[] = [rowOf('the DynamoDB client alone', client, client)];
    for (const { name } of functions)
      rows.push(rowOf(`function ${name}`, await measureArtefact(functionArtefact(name)), client));
    return rows;
  });
}

interface Artefact {
  readonly kilobytes: number;
  readonly importMilliseconds: number;
}

function rowOf(what: string, artefact: Artefact, client: Artefact): Row {
  const { kilobytes, importMilliseconds } = artefact;
  const ratios = `${times(kilobytes / client.kilobytes)} in size, ${times(importMilliseconds / client.importMilliseconds)} in time`;
  return {
    measure: `cold import: ${what}`,
    figure: `${kilobytes.toFixed(0)} KB, ${millis(importMilliseconds)}${artefact === client ? '' : ` (${ratios})`}`,
    how: `in a new process, median of ${runs}${artefact === client ? '' : '; ratios to the client alone'}`,
  };
}

async function measureArtefact(file: string): Promise<Artefact> {
  const script = `const start = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)}); process.stdout.write(String(performance.now() - start)); process.exit();`;
  const all: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    all.push(Number(await runNode(['--input-type=module', '--eval', script])));
  }
  return { kilobytes: (await stat(file)).size / 1_000, importMilliseconds: median(all) };
}

/** As a function is bundled, with what the ledger uses of it. */
async function bundleClient(directory: string): Promise<string> {
  const outfile = join(directory, 'client.mjs');
  const names = 'DynamoDBClient, DeleteItemCommand, GetItemCommand, PutItemCommand, QueryCommand';
  await build({
    stdin: { contents: `export { ${names} } from '@aws-sdk/client-dynamodb';`, resolveDir: projectRoot },
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    target: 'node20',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  return outfile;
}
