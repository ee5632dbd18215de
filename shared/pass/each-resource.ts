/** Work on the resources of a site, several at once; what fails for one must not keep the others from being served. */
import { pMapSettled } from 'p-map';

/** Resources that are worked on at once. */
const concurrency = 8;

/** What the work on several resources came to. */
export interface Worked<Result> {
  readonly results: readonly Result[];
  readonly failures: readonly unknown[];
}

/** A part of the work failed, the rest of it was done; the next pass or push tries the part again. */
export class WorkIncomplete extends AggregateError {
  override readonly name = 'WorkIncomplete';

  constructor(doing: string, failures: readonly unknown[]) {
    super(failures, `${doing}, ${failures.length} failed: ${failures.map(String).join('; ')}`);
  }
}

/** Never rejects; results and failures are each in the order of the items. */
export async function eachResource<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Worked<Result>> {
  const settled = await pMapSettled(items, work, { concurrency });
  return {
    results: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    failures: settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : [])),
  };
}
