/** The totals of a resource over time, from its history: the live system and the simulator are compared by these. */
import type { HistoryEntry, Instant, Tokens } from '../domain/model.ts';
import { totalOf } from '../domain/ledger.ts';
import { rfc3339 } from './rfc3339.ts';

/** From `since` on the controller applies these numbers. */
export type TotalStep = readonly [since: Instant, owned: Tokens, borrowed: Tokens, total: Tokens];

/** One step for each change of the numbers that the controller confirmed. `entries`: a resource's history, oldest first. */
export async function confirmedTotals(
  entries: AsyncIterable<HistoryEntry> | Iterable<HistoryEntry>,
): Promise<TotalStep[]> {
  const steps: TotalStep[] = [];
  for await (const { at, target, confirmed } of entries) {
    const [, owned, borrowed] = steps.at(-1) ?? [];
    if (!confirmed || (target.owned === owned && target.borrowed === borrowed)) continue;
    steps.push([at, target.owned, target.borrowed, totalOf(target)]);
  }
  return steps;
}

/** CSV with a header and LF, ordered by time and then by resource (by code unit). Names hold nothing that needs quotes. */
export function totalsCsv(byResource: ReadonlyMap<string, readonly TotalStep[]>): string {
  const rows = [...byResource].flatMap(([resource, steps]) => steps.map((step) => ({ resource, step })));
  rows.sort((a, b) => a.step[0] - b.step[0] || (a.resource < b.resource ? -1 : Number(a.resource > b.resource)));
  const lines = rows.map(({ resource, step: [since, ...numbers] }) => [rfc3339(since), resource, ...numbers].join(','));
  return ['time,resource,owned,borrowed,total', ...lines, ''].join('\n');
}
