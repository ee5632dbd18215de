/**
 * `npm run fuzz -- [--seeds N] [--first N] [--steps N] [--workers N]`: many seeds, and what was injected and broken.
 * `npm run fuzz -- --seed N`: one seed with its story; where it breaks something, again with as few steps as will do.
 * `npm run fuzz -- --mutants`: breaks one rule after the other, and says by which promise and seed each is caught.
 */
import { availableParallelism } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import type { BatchResult } from './batch.ts';
import { bundleWorker } from './bundle.ts';
import { runWithCrew } from './crew.ts';
import { catchMutants, type Caught } from './catch-mutants.ts';
import { inWords, runSeed, stepsUpTo } from './run.ts';
import { shrink, whatBroke } from './shrink.ts';
import { ToldStory } from './story.ts';

/** The bundle that runs lies in `dist/`. */
const root = fileURLToPath(new URL('..', import.meta.url));
const plain = { head: [], border: [], compact: true };

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    first: { type: 'string', default: '0' },
    steps: { type: 'string', default: '500' },
    workers: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
    mutants: { type: 'boolean', default: false },
  },
});
const steps = whole('steps', values.steps);
const workers = whole('workers', values.workers);
const directory = await mkdtemp(join(dirname(fileURLToPath(import.meta.url)), 'fuzz-'));
try {
  let isWell: boolean;
  if (values.seed !== undefined) isWell = await tell(whole('seed', values.seed));
  else if (values.mutants) isWell = await runMutants();
  else isWell = await runSeeds();
  process.exitCode = isWell ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function runSeeds(): Promise<boolean> {
  const batch = { first: whole('first', values.first), seeds: whole('seeds', values.seeds), steps };
  const file = join(directory, 'worker.mjs');
  await bundleWorker(root, file);
  const began = performance.now();
  const result = await runWithCrew(file, batch, workers, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${batch.seeds} seeds`);
  });
  if (process.stderr.isTTY) process.stderr.write('\r');
  print(result, (performance.now() - began) / 1000);
  return result.broken.length === 0;
}

function print({ seeds, steps, faults, broken }: BatchResult, seconds: number): void {
  const table = new Table({
    head: ['fault', 'injected', 'per 1,000 steps'],
    colAligns: ['left', 'right', 'right'],
    style: plain,
  });
  for (const [kind, times] of faults) table.push([kind, times, ((1000 * times) / steps).toFixed(2)]);
  console.log(table.toString());
  for (const { seed, message } of broken) console.log(`seed ${seed}: ${message}`);
  console.log(
    `${seeds} seeds, ${steps} steps, ${seconds.toFixed(1)} s on ${workers} processes: ${(seeds / seconds).toFixed(1)} seeds a second, ${broken.length} broken`,
  );
  const [first] = broken;
  if (first !== undefined)
    console.log(`see what happened: npm run fuzz -- --seed ${first.seed} --steps ${values.steps}`);
}

/** The story of one seed, shrunk where something broke. */
async function tell(seed: number): Promise<boolean> {
  const whole = new ToldStory();
  const { broken, steps: taken, digest } = await runSeed(seed, stepsUpTo(steps), whole);
  if (broken === undefined) {
    console.log(`${whole.lines.join('\n')}\nseed ${seed}: every promise held (${digest})`);
    return true;
  }
  const what = whatBroke(broken);
  const kept = await shrink(stepsUpTo(taken), async (some) => whatBroke((await runSeed(seed, some)).broken) === what);
  const short = new ToldStory();
  const again = await runSeed(seed, kept, short);
  console.log(`${short.lines.join('\n')}\nseed ${seed}: ${inWords(again.broken)}`);
  console.log(`shrunk from ${taken} steps to ${kept.length}: ${kept.join(', ')}`);
  return false;
}

async function runMutants(): Promise<boolean> {
  const table = new Table({ head: ['mutant', 'caught by', 'seed', 'step'], style: plain });
  const caught = await catchMutants({ root, directory, steps, seeds: whole('seeds', values.seeds), workers });
  for (const { name, by } of caught) table.push([name, by?.what ?? 'NOTHING', by?.seed ?? '', by?.steps ?? '']);
  console.log(table.toString());
  const isCaught = ({ by }: Caught): boolean => by !== undefined;
  console.log(`${caught.filter(isCaught).length} of ${caught.length} mutants caught`);
  return caught.every(isCaught);
}

function whole(option: string, value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`reading --${option}: ${value} is not a whole number`);
  return number;
}
