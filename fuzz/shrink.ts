/**
 * Fewer steps of which `stillBreaks` holds as it does of all, by delta debugging (Zeller and Hildebrandt 2002, ddmin without its
 * subsets): parts of the list are left out, from halves down to single steps. A step draws for itself alone, so the others
 * stay what they were.
 */
export async function shrink(
  steps: readonly number[],
  stillBreaks: (kept: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let kept = steps;
  for (let parts = 2; kept.length > 1;) {
    const size = Math.ceil(kept.length / parts);
    let smaller: readonly number[] | undefined;
    for (let from = 0; from < kept.length && smaller === undefined; from += size) {
      const rest = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await stillBreaks(rest)) smaller = rest;
    }
    if (smaller !== undefined) {
      kept = smaller;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(kept.length, parts * 2);
  }
  return kept;
}

/** The promise, or the kind of error where none is named. */
export function whatBroke(broken: unknown): string {
  if (!(broken instanceof Error)) return typeof broken;
  const promise = /^promise \d+ \([^)]*\)/.exec(broken.message);
  return promise?.[0] ?? broken.name;
}
