import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HistoryEntry, Instant, ProviderRecord, ResourceLedger } from '../../domain/model.ts';
import type { PassRecord } from '../../domain/pass-record.ts';
import type { HistoryStore, LedgerStore, SiteRecord, WriteOutcome } from '../../ports.ts';
import { entryBody, ledgerBody, providerBody } from './bodies.ts';
import { DamagedItemError } from './errors.ts';
import { readHistory } from './history.ts';
import {
  controllerKey,
  historyKey,
  passKey,
  passRange,
  providerKey,
  resourceKey,
  siteRange,
  sortKeyOf,
  type Item,
} from './items.ts';
import { packPass, unpackPass } from './pass-parts.ts';
import { Partition } from './partition.ts';

/**
 * A site's ledger in one table of DynamoDB or of any engine that speaks its protocol: no transactions, indexes,
 * streams, scans or TTL. Throws `NewerSchemaError` and `DamagedItemError` on reads, `OversizedItemError` on writes, and
 * the SDK's errors when the table cannot be reached; after those a write may or may not have happened.
 */
export class DynamoLedgerStore implements LedgerStore, HistoryStore {
  readonly #items: Partition;

  constructor({ client, table, site }: { client: DynamoDBClient; table: string; site: string }) {
    this.#items = new Partition(client, table, `SITE#${site}`);
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

  async write(previous: ResourceLedger | undefined, next: ResourceLedger): Promise<WriteOutcome> {
    const key = resourceKey(next.resource);
    const body = ledgerBody.write(key, next);
    if (previous !== undefined) {
      const { lastEntry } = previous;
      const entryKey = historyKey(lastEntry.resource, lastEntry.version);
      // Whoever puts this entry puts the same content, so a repeated put changes nothing.
      await this.#items.put(entryKey, { body: entryBody.write(entryKey, lastEntry) });
    }
    return this.#put(key, previous?.version, {
      version: { N: String(next.version) },
      total: { N: String(next.target.owned + next.target.borrowed) },
      body,
    });
  }

  async writeProvider(previous: ProviderRecord | undefined, next: ProviderRecord): Promise<WriteOutcome> {
    const key = providerKey(next.provider);
    return this.#put(key, previous?.version, {
      version: { N: String(next.version) },
      body: providerBody.write(key, next),
    });
  }

  async writeUnheardSince(since: Instant | undefined): Promise<void> {
    // Put and not deleted, so that a function needs no right to delete anything.
    await this.#items.put(controllerKey, since === undefined ? {} : { unheardSince: { N: String(since) } });
  }

  async recordPass(record: PassRecord): Promise<void> {
    const parts = await packPass(record);
    for (const [part, body] of parts.entries()) {
      await this.#items.put(passKey(record.id, part + 1), { parts: { N: String(parts.length) }, body: { B: body } });
    }
  }

  history(resource: string, range?: { from?: Instant; to?: Instant }): AsyncIterable<HistoryEntry> {
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

  async #put(key: string, previousVersion: number | undefined, attributes: Item): Promise<WriteOutcome> {
    return (await this.#items.putUnless(key, previousVersion, attributes)) === undefined ? 'written' : 'lost';
  }
}

const numberOf = (attribute: Item[string] | undefined): number | undefined =>
  attribute?.N === undefined ? undefined : Number(attribute.N);
