import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HistoryEntry, Instant, ProviderRecord, ResourceLedger } from '../../domain/model.ts';
import type { PassRecord } from '../../domain/pass-record.ts';
import type { HistoryRange, HistoryStore, LedgerStore, SiteRecord } from '../../ports.ts';
import { ledgerBody, providerBody } from './bodies.ts';
import { DamagedItemError } from './errors.ts';
import { readHistory } from './history.ts';
import {
  controllerKey,
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

/** What a site's ledger holds, for those who change nothing. Throws `NewerSchemaError`, `DamagedItemError` and the SDK's errors. */
export class DynamoLedgerReader implements Pick<LedgerStore, 'read'>, HistoryStore {
  readonly #items: PartitionReader;

  constructor({ client, table, site }: { client: DynamoDBClient; table: string; site: string }) {
    this.#items = new PartitionReader(client, table, sitePartition(site));
  }

  async read(): Promise<SiteRecord> {
    const ledgers: ResourceLedger[] = [];
    const providers: ProviderRecord[] = [];
    let unheardSince: Instant | undefined;
    for await (const item of this.#items.query(siteRange)) {
      const sortKey = sortKeyOf(item);
      if (sortKey.startsWith(resourceKey(''))) ledgers.push(ledgerBody.read(item));
      else if (sortKey.startsWith(providerKey(''))) providers.push(providerBody.read(item));
      else if (sortKey === controllerKey) unheardSince = numberOf(item['unheardSince']);
    }
    return { ledgers, providers, ...(unheardSince === undefined ? {} : { unheardSince }) };
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

const numberOf = (attribute: Item[string] | undefined): number | undefined =>
  attribute?.N === undefined ? undefined : Number(attribute.N);
