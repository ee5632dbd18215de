import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type {
  Freeze,
  HistoryEntry,
  Instant,
  ProviderRecord,
  ResourceLedger,
  UnreadableItem,
} from '../../domain/model.ts';
import type { PassRecord } from '../../domain/pass-record.ts';
import type { HistoryRange, HistoryStore, LedgerStore, SiteRecord } from '../../ports.ts';
import { ledgerBody, providerBody } from './bodies.ts';
import { DamagedItemError, NewerSchemaError } from './errors.ts';
import { readHistory } from './history.ts';
import {
  controllerKey,
  freezeKey,
  passRange,
  providerKey,
  resourceKey,
  sitePartition,
  siteRange,
  sortKeyOf,
  type Item,
} from './items.ts';
import { unpackPass } from './pass-parts.ts';
import { PartitionReader } from './partition-reader.ts';
import { broughtForward } from './schema.ts';

/**
 * What a site's ledger holds, for those who change nothing. Throws `NewerSchemaError`, `DamagedItemError` and the SDK's
 * errors; `read` answers which resources and providers it had to leave out because of the first two.
 */
export class DynamoLedgerReader implements Pick<LedgerStore, 'read'>, HistoryStore {
  readonly #items: PartitionReader;

  constructor({ client, table, site }: { client: DynamoDBClient; table: string; site: string }) {
    this.#items = new PartitionReader(client, table, sitePartition(site));
  }

  async read(): Promise<SiteRecord> {
    const ledgers: ResourceLedger[] = [];
    const providers: ProviderRecord[] = [];
    const unreadable: UnreadableItem[] = [];
    let unheardSince: Instant | undefined;
    let frozen: Freeze | undefined;
    const take = (item: Item, sortKey: string): void => {
      if (sortKey.startsWith(resourceKey(''))) ledgers.push(ledgerBody.read(item));
      else if (sortKey.startsWith(providerKey(''))) providers.push(providerBody.read(item));
      else if (sortKey === controllerKey) unheardSince = numberOf(item['unheardSince']);
      else if (sortKey === freezeKey) frozen = freezeOf(item);
    };
    for await (const item of this.#items.stored(siteRange)) {
      const sortKey = sortKeyOf(item);
      try {
        take(broughtForward(item), sortKey);
      } catch (error) {
        unreadable.push(leftOut(sortKey, error));
      }
    }
    return {
      ledgers,
      providers,
      ...(unheardSince !== undefined && { unheardSince }),
      ...(frozen && { frozen }),
      ...(unreadable.length > 0 && { unreadable }),
    };
  }

  history(resource: string, range?: HistoryRange): AsyncIterable<HistoryEntry> {
    return readHistory(this.#items, resource, range);
  }

  /** `undefined` also for a record whose writing was cut short; no ledger names such a pass. */
  async pass(id: string): Promise<PassRecord | undefined> {
    const items: Item[] = [];
    for await (const item of this.#items.query(passRange(id))) items.push(item);
    const [first] = items;
    if (first === undefined || Number(first['parts']?.N) !== items.length) return undefined;
    try {
      return await unpackPass(items.map((item) => item['body']?.B ?? new Uint8Array()));
    } catch (error) {
      throw new DamagedItemError(sortKeyOf(first), error);
    }
  }
}

/** What the rest of the site can do without. Throws `error` where it can't: all depends on whether it is frozen, say. */
function leftOut(sortKey: string, error: unknown): UnreadableItem {
  if (error instanceof NewerSchemaError || error instanceof DamagedItemError) {
    for (const [kind, prefix] of separable) {
      if (sortKey.startsWith(prefix)) return { kind, name: sortKey.slice(prefix.length), reason: error.message };
    }
  }
  throw error;
}

const separable = [
  ['resource', resourceKey('')],
  ['provider', providerKey('')],
] as const;

const numberOf = (attribute: Item[string] | undefined): number | undefined =>
  attribute?.N === undefined ? undefined : Number(attribute.N);

/** `undefined` for the item of a freeze that has been taken back. */
function freezeOf({ since, by }: Item): Freeze | undefined {
  const instant = numberOf(since);
  return instant === undefined ? undefined : { since: instant, by: by?.S ?? '' };
}
