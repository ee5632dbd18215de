import type { HistoryEntry, Instant } from '../../domain/model.ts';
import type { HistoryRange } from '../../ports.ts';
import { entryBody, ledgerBody } from './bodies.ts';
import { historyKey, resourceKey } from './items.ts';
import type { PartitionReader } from './partition-reader.ts';

/** Far more than the clocks of two writers differ by; entries are in the order of their instants but for that. */
const marginMilliseconds = 3_600_000;

/** A resource's entries, oldest first, with the one that its ledger still holds. */
export async function* readHistory(
  items: PartitionReader,
  resource: string,
  { from = -Infinity, to = Infinity, after = 0 }: HistoryRange = {},
): AsyncIterable<HistoryEntry> {
  // The ledger comes first: whatever precedes the entry that it holds is in history by now, so that writes which happen
  // while we read make no gap.
  const ledger = await items.get(resourceKey(resource));
  if (ledger === undefined) return;
  const last = ledgerBody.read(ledger).lastEntry;
  if (after >= last.version) return;
  const next = after + 1;
  const first = from === -Infinity ? next : await versionBefore(items, next, last, from - marginMilliseconds);
  for await (const item of items.query([historyKey(resource, first), historyKey(resource, last.version)])) {
    const entry = entryBody.read(item);
    if (entry.version >= last.version || entry.at > to + marginMilliseconds) break;
    if (from <= entry.at && entry.at <= to) yield entry;
  }
  if (from <= last.at && last.at <= to) yield last;
}

/**
 * A version from `next` on with only entries from before `instant` in between, found by bisection: a long history is not
 * read through.
 */
async function versionBefore(
  items: PartitionReader,
  next: number,
  last: HistoryEntry,
  instant: Instant,
): Promise<number> {
  let [low, high] = [next, last.version];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const item = await items.first([historyKey(last.resource, middle), historyKey(last.resource, high)]);
    const entry = item && entryBody.read(item);
    if (entry !== undefined && entry.at < instant) low = entry.version + 1;
    else high = middle;
  }
  return low;
}
