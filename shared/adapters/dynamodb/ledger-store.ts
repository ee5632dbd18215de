import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Instant, ProviderRecord, ResourceLedger } from '../../domain/model.ts';
import type { PassRecord } from '../../domain/pass-record.ts';
import type { LedgerStore, WriteOutcome } from '../../ports.ts';
import { entryBody, ledgerBody, providerBody } from './bodies.ts';
import { controllerKey, historyKey, passKey, providerKey, resourceKey, sitePartition, type Item } from './items.ts';
import { DynamoLedgerReader } from './ledger-reader.ts';
import { packPass } from './pass-parts.ts';
import { Partition } from './partition.ts';

/**
 * A site's ledger in one table of DynamoDB or of any engine that speaks its protocol: no transactions, indexes,
 * streams, scans or TTL. Throws `NewerSchemaError` and `DamagedItemError` on reads, `OversizedItemError` on writes, and
 * the SDK's errors when the table cannot be reached; after those a write may or may not have happened.
 */
export class DynamoLedgerStore extends DynamoLedgerReader implements LedgerStore {
  readonly #items: Partition;

  constructor(options: { client: DynamoDBClient; table: string; site: string }) {
    super(options);
    this.#items = new Partition(options.client, options.table, sitePartition(options.site));
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

  async #put(key: string, previousVersion: number | undefined, attributes: Item): Promise<WriteOutcome> {
    return (await this.#items.putUnless(key, previousVersion, attributes)) === undefined ? 'written' : 'lost';
  }
}
