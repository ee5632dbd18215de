import { performance } from 'node:perf_hooks';

export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
export const millis = (milliseconds: number): string => `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;

export const median = (values: readonly number[]): number => percentile(values, 50);

/** The nearest rank: a value that was measured. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of each of `runs` runs, one after the other. */
export async function timedRuns(runs: number, work: () => unknown): Promise<number[]> {
  const all: number[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await timed(work));
  return all;
}

/** How a cost grows with each doubling of a size: 2 is linear. */
export function growth(costs: readonly number[]): number[] {
  return costs.slice(1).map((cost, index) => cost / (costs[index] ?? NaN));
}

/** Twice the size may cost a bit more than twice as much, for what memory and a busy machine add. */
export const linearGrowth = 2.5;
