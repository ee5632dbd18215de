import { eachResource } from './each-resource.ts';

/** What a part of a pass came to for one resource. */
export interface ResourceStep {
  /** The controller has yet to confirm the ledger's total. */
  readonly pushDue: boolean;
  /** The world has moved on, or another provider may make good a refusal: look again. */
  readonly again: boolean;
}

/** What a part of a pass came to. */
export interface Step extends ResourceStep {
  /** What went wrong for single resources; it must not keep the others from being served. */
  readonly failures: readonly unknown[];
}

/** Of a part that had nothing to do. */
export const nothingDone: Step = { pushDue: false, again: false, failures: [] };

/** Takes the step for each item, several at once, and sums up. */
export async function forEach<T>(items: readonly T[], step: (item: T) => Promise<ResourceStep>): Promise<Step> {
  if (items.length === 0) return nothingDone;
  const { results, failures } = await eachResource(items, step);
  return {
    pushDue: results.some(({ pushDue }) => pushDue),
    again: results.some(({ again }) => again),
    failures,
  };
}
