import { PutItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Freeze } from '../../domain/model.ts';
import type { FreezeStore } from '../../ports.ts';
import { freezeKey, sitePartition } from './items.ts';
import { stamped } from './schema.ts';

/** An item beside the ledgers, read with them. It makes no other call, so neither may the role of its function. */
export class DynamoFreezeStore implements FreezeStore {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #site: string;

  constructor({ client, table, site }: { client: DynamoDBClient; table: string; site: string }) {
    this.#client = client;
    this.#table = table;
    this.#site = site;
  }

  /** Throws the SDK's errors; after those it may or may not have been written. */
  async writeFreeze(freeze: Freeze | undefined): Promise<void> {
    const key = { pk: { S: sitePartition(this.#site) }, sk: { S: freezeKey } };
    // Put and not deleted, so that a function needs no right to delete anything.
    const word = freeze === undefined ? {} : { since: { N: String(freeze.since) }, by: { S: freeze.by } };
    const Item = stamped({ ...key, ...word });
    await this.#client.send(new PutItemCommand({ TableName: this.#table, Item }));
  }
}
