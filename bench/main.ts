/**
 * `npm run bench -- [name ...] [--write]`: runs the benchmarks, or those that are named, and prints their figures as a
 * Markdown table. A figure that misses its target is marked, and nothing fails for it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import type { Row } from './benchmark.ts';
import { benchmarks } from './benchmarks.ts';
import { describeMachine } from './machine.ts';
import { document } from './places.ts';
import { toTable } from './table.ts';

// The SDK's version is pinned; its notice about coming versions is for whoever raises it.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  const known = benchmarks.map(({ name }) => name).join(', ');
  throw new Error(`choosing benchmarks: there is no ${unknown.join(', ')}; name some of ${known}`);
}
if (values.write && positionals.length > 0) {
  throw new Error('writing docs/benchmarks.md: it holds the figures of one whole run; leave the names out');
}

const machine = describeMachine();
const rows: Row[] = [];
for (const benchmark of benchmarks) {
  if (positionals.length > 0 && !positionals.includes(benchmark.name)) continue;
  process.stderr.write(`${benchmark.name}\n`);
  rows.push(...(await benchmark.run()));
}
const figures = `${machine}\n\n${toTable(rows)}`;
process.stdout.write(`${figures}\n`);
if (values.write) await replaceFigures(figures);

async function replaceFigures(newFigures: string): Promise<void> {
  const begin = '<!-- figures: begin -->';
  const end = '<!-- figures: end -->';
  const [before, rest] = (await readFile(document, 'utf8')).split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`writing docs/benchmarks.md: it has no ${begin} and ${end}; put them in, each on its own line`);
  }
  const text = `${before}${begin}\n\n${newFigures}\n\n${end}${after}`;
  await writeFile(document, await format(text, { ...(await resolveConfig(document)), parser: 'markdown' }));
}
