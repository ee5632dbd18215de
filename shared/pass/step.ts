import pMap from 'p-map';
import { concurrency } from './ports.ts';

/** What a part of a pass came to. */
export interface Step {
  /** The ledger wants another total than before. */
  readonly totalChanged: boolean;
  /** The world has moved on, or another provider may make good a refusal: look again. */
  readonly again: boolean;
  /** What went wrong for single resources; it must not keep the others from being served. */
  readonly failures: readonly unknown[];
}

/** Of a part that had nothing to do. */
export const nothingDone: Step = { totalChanged: false, again: false, failures: [] };

/** Takes the step for each item, several at once, and sums up. */
export async function forEach<T>(items: readonly T[], step: (item: T) => Promise<Step>): Promise<Step> {
  if (items.length === 0) return nothingDone;
  const steps = await pMap(
    items,
    (item) => step(item).catch((error: unknown) => ({ ...nothingDone, failures: [error] })),
    { concurrency },
  );
  return {
    totalChanged: steps.some(({ totalChanged }) => totalChanged),
    again: steps.some(({ again }) => again),
    failures: steps.flatMap(({ failures }) => failures),
  };
}
