/** Many seeds in one process, and what they came to in sum. */
import { faultKinds, FaultCounts, type FaultKind } from './fault-kinds.ts';
import { inWords, runSeed, stepsUpTo } from './run.ts';
import { whatBroke } from './shrink.ts';

export interface Batch {
  readonly first: number;
  readonly seeds: number;
  readonly steps: number;
}

/** Plain data, to be handed from one thread to another. */
export interface BatchResult {
  readonly seeds: number;
  readonly steps: number;
  readonly faults: readonly (readonly [FaultKind, number])[];
  readonly broken: readonly Broken[];
}

export interface Broken {
  readonly seed: number;
  /** How many steps it had taken. */
  readonly steps: number;
  /** `promise 1 (never more than lent)`, or the name of an error of the program. */
  readonly what: string;
  readonly message: string;
}

/** Seeds in their order; ends with the first that breaks something where `untilBroken`. */
export async function runBatch({ first, seeds, steps }: Batch, untilBroken = false): Promise<BatchResult> {
  const all = stepsUpTo(steps);
  const faults = new FaultCounts();
  const broken: Broken[] = [];
  let taken = 0;
  let done = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const outcome = await runSeed(seed, all);
    done += 1;
    taken += outcome.steps;
    for (const [kind, times] of outcome.faults.entries()) faults.add(kind, times);
    if (outcome.broken === undefined) continue;
    broken.push({ seed, steps: outcome.steps, what: whatBroke(outcome.broken), message: inWords(outcome.broken) });
    if (untilBroken) break;
  }
  return { seeds: done, steps: taken, faults: faults.entries(), broken };
}

export function sumOf(results: readonly BatchResult[]): BatchResult {
  const faults = new FaultCounts();
  for (const result of results) for (const [kind, times] of result.faults) faults.add(kind, times);
  return {
    seeds: results.reduce((sum, { seeds }) => sum + seeds, 0),
    steps: results.reduce((sum, { steps }) => sum + steps, 0),
    faults: faultKinds.map((kind) => [kind, faults.of(kind)] as const),
    broken: results.flatMap(({ broken }) => broken).sort((a, b) => a.seed - b.seed),
  };
}
