import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  paginateQuery,
  PutItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DamagedItemError, OversizedItemError } from '../adapters/dynamodb/errors.ts';
import { itemSchema, knownItem, maximumBodyBytes, sortKeyOf, type Item } from '../adapters/dynamodb/items.ts';
import { JsonBody } from '../adapters/dynamodb/json-body.ts';
import type { WriteOutcome } from '../ports.ts';
import type { BarredGrant, ClaimedGrant, ClosedGrant, GrantRecord, Shelf } from './shelf.ts';
import type { PoolStore } from './store.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const record = new JsonBody<GrantRecord>('Use shorter ids.');
const shelfKey = (resource: string): string => `SHELF#${resource}`;
const grantKey = (id: string): string => `GRANT#${id}`;

/**
 * A pool in one table of DynamoDB or of any engine that speaks its protocol: one item a shelf, written on the condition
 * of its version, and one item a grant, which stays as the history of what was lent. Throws `NewerSchemaError` and
 * `DamagedItemError` on reads, `OversizedItemError` on writes, and the SDK's errors when the table cannot be reached;
 * after those a write may or may not have happened.
 */
export class DynamoPoolStore implements PoolStore {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #partition: string;

  constructor({ client, table, pool }: { client: DynamoDBClient; table: string; pool: string }) {
    this.#client = client;
    this.#table = table;
    this.#partition = `POOL#${pool}`;
  }

  async readShelf(resource: string): Promise<Shelf | undefined> {
    const item = await this.#get(shelfKey(resource));
    return item && unpackShelf(item);
  }

  async readShelves(): Promise<readonly Shelf[]> {
    const shelves: Shelf[] = [];
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'pk = :partition AND begins_with(sk, :shelf)',
        ExpressionAttributeValues: { ':partition': { S: this.#partition }, ':shelf': { S: shelfKey('') } },
        ConsistentRead: true,
      },
    );
    for await (const page of pages) {
      for (const item of page.Items ?? []) shelves.push(await unpackShelf(knownItem(item)));
    }
    return shelves;
  }

  async writeShelf(next: Shelf): Promise<WriteOutcome> {
    const attributes = { version: { N: String(next.version) }, body: await packShelf(next) };
    const standing = await this.#putUnless(shelfKey(next.resource), attributes, next.version - 1);
    return standing === undefined ? 'written' : 'lost';
  }

  async readRecord(id: string): Promise<GrantRecord | undefined> {
    const item = await this.#get(grantKey(id));
    return item && record.read(item);
  }

  async claim(claim: ClaimedGrant | BarredGrant): Promise<GrantRecord> {
    const key = grantKey(claim.id);
    const standing = await this.#putUnless(key, { body: record.write(key, claim) });
    return standing === undefined ? claim : record.read(standing);
  }

  async archive(grant: ClosedGrant): Promise<void> {
    const key = grantKey(grant.id);
    await this.#client.send(
      new PutItemCommand({ TableName: this.#table, Item: this.#item(key, { body: record.write(key, grant) }) }),
    );
  }

  async #get(sortKey: string): Promise<Item | undefined> {
    const { Item: item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: this.#key(sortKey), ConsistentRead: true }),
    );
    return item === undefined ? undefined : knownItem(item);
  }

  /** Answers what stands in the way: any item, where no previous version is given, else one of another version. */
  async #putUnless(sortKey: string, attributes: Item, previousVersion = 0): Promise<Item | undefined> {
    const writeId = randomUUID();
    try {
      await this.#client.send(
        new PutItemCommand({
          TableName: this.#table,
          Item: this.#item(sortKey, { ...attributes, writeId: { S: writeId } }),
          ...(previousVersion === 0
            ? { ConditionExpression: 'attribute_not_exists(pk)' }
            : {
                ConditionExpression: 'version = :previous',
                ExpressionAttributeValues: { ':previous': { N: String(previousVersion) } },
              }),
        }),
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // Read, because not every engine returns the item with the failure. It may be our own: where the answer to a
      // first try was lost, the SDK's second try fails on the first one's success.
      const standing = await this.#get(sortKey);
      return standing?.['writeId']?.S === writeId ? undefined : (standing ?? {});
    }
  }

  #key(sortKey: string): Item {
    return { pk: { S: this.#partition }, sk: { S: sortKey } };
  }

  #item(sortKey: string, attributes: Item): Item {
    return { ...this.#key(sortKey), schema: { N: String(itemSchema) }, ...attributes };
  }
}

/** Compressed, as its grants are alike: a full shelf would not fit into an item otherwise, and writes cost by the KB. */
async function packShelf(shelf: Shelf): Promise<Item[string]> {
  const body = await compress(JSON.stringify(shelf));
  if (body.length <= maximumBodyBytes) return { B: body };
  const mend = 'Sites make it smaller by giving grants back whole.';
  throw new OversizedItemError(shelfKey(shelf.resource), body.length, maximumBodyBytes, mend);
}

async function unpackShelf(item: Item): Promise<Shelf> {
  try {
    const shelf: Shelf = JSON.parse((await decompress(item['body']?.B ?? new Uint8Array())).toString());
    return shelf;
  } catch (error) {
    throw new DamagedItemError(sortKeyOf(item), error);
  }
}
