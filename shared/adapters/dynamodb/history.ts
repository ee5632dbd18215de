import type { HistoryEntry, Instant } from '../../domain/model.ts';
import { entryBody, ledgerBody } from './bodies.ts';
import { historyKey, resourceKey } from './items.ts';
import type { Partition } from './partition.ts';

/** Far more than the clocks of two writers differ by; entries are in the order of their instants but for that. */
const marginMilliseconds = 3_600_000;

/** A resource's entries, oldest first, with the one that its ledger still holds. `from` and `to` are both included. */
export async function* readHistory(
  items: Partition,
  resource: string,
  { from = -Infinity, to = Infinity }: { from?: Instant; to?: Instant } = {},
): AsyncIterable<HistoryEntry> {
  // The ledger comes first: whatever precedes the entry that it holds is in history by now, so that writes which happen
  // while we read make no gap.
  const ledger = await items.get(resourceKey(resource));
  if (ledger === undefined) return;
  const last = ledgerBody.read(ledger).lastEntry;
  const first = from === -Infinity ? 0 : await versionBefore(items, last, from - marginMilliseconds);
  for await (const item of items.query([historyKey(resource, first), historyKey(resource, last.version)])) {
    const entry = entryBody.read(item);
    if (entry.version >= last.version || entry.at > to + marginMilliseconds) break;
    if (from <= entry.at && entry.at <= to) yield entry;
  }
  if (from <= last.at && last.at <= to) yield last;
}

/** A version with only entries from before `instant` below it, found by bisection: a long history is not read through. */
async function versionBefore(items: Partition, last: HistoryEntry, instant: Instant): Promise<number> {
  let [low, high] = [0, last.version];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const item = await items.first([historyKey(last.resource, middle), historyKey(last.resource, high)]);
    const entry = item && entryBody.read(item);
    if (entry !== undefined && entry.at < instant) low = entry.version + 1;
    else high = middle;
  }
  return low;
}
