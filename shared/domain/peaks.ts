import type { RecentPeaks, Tokens } from './model.ts';
import { duration } from './words.ts';

/** The highest need over the last `windowSeconds`, or why it is not known. */
export type PeakNeed =
  { readonly known: true; readonly need: Tokens } | { readonly known: false; readonly why: string };

/** A gap counts as used, so one missing bucket makes the whole window unknown. */
export function peakNeed({ bucketSeconds, needs }: RecentPeaks, windowSeconds: number): PeakNeed {
  // The current bucket has only begun, so the window reaches one bucket further back.
  const buckets = Math.ceil(windowSeconds / bucketSeconds) + 1;
  if (needs.length < buckets) {
    const reported = duration(needs.length * bucketSeconds);
    return { known: false, why: `the controller reports need of only the last ${reported}` };
  }
  let need = 0;
  for (let index = needs.length - buckets; index < needs.length; index += 1) {
    const bucket = needs[index];
    if (bucket === null || bucket === undefined) {
      const ago = duration((needs.length - 1 - index) * bucketSeconds);
      return { known: false, why: `nobody looked at the need ${ago} ago, which counts as used` };
    }
    if (bucket > need) need = bucket;
  }
  return { known: true, need };
}
