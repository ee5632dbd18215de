import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  paginateQuery,
  PutItemCommand,
  QueryCommand,
  type DynamoDBClient,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { WriteOutcome } from '../../ports.ts';
import { itemSchema, knownItem, type Item } from './items.ts';

type KeyRange = readonly [first: string, last: string];

/** The part of a table that belongs to one site. Reads are strongly consistent. */
export class SiteTable {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #partition: string;

  constructor(client: DynamoDBClient, table: string, site: string) {
    this.#client = client;
    this.#table = table;
    this.#partition = `SITE#${site}`;
  }

  async get(sortKey: string): Promise<Item | undefined> {
    const { Item: item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: this.#key(sortKey), ConsistentRead: true }),
    );
    return item && knownItem(item);
  }

  /** All items from `first` to `last`, both included, in the order of their keys. */
  async *query(range: KeyRange): AsyncIterable<Item> {
    const pages = paginateQuery({ client: this.#client }, this.#rangeQuery(range));
    for await (const page of pages) for (const item of page.Items ?? []) yield knownItem(item);
  }

  /** The first item of the range. */
  async first(range: KeyRange): Promise<Item | undefined> {
    const { Items: [item] = [] } = await this.#client.send(new QueryCommand({ ...this.#rangeQuery(range), Limit: 1 }));
    return item && knownItem(item);
  }

  async put(sortKey: string, attributes: Item): Promise<void> {
    await this.#client.send(new PutItemCommand({ TableName: this.#table, Item: this.#item(sortKey, attributes) }));
  }

  /** Puts the item in place of the one with `previousVersion`; `undefined`: in place of none. */
  async putVersion(sortKey: string, previousVersion: number | undefined, attributes: Item): Promise<WriteOutcome> {
    const writeId = randomUUID();
    try {
      await this.#client.send(
        new PutItemCommand({
          TableName: this.#table,
          Item: this.#item(sortKey, { ...attributes, writeId: { S: writeId } }),
          ...(previousVersion === undefined
            ? { ConditionExpression: 'attribute_not_exists(pk)' }
            : {
                ConditionExpression: 'version = :previous',
                ExpressionAttributeValues: { ':previous': { N: String(previousVersion) } },
              }),
        }),
      );
      return 'written';
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The answer to a first try may have been lost, and the SDK's second try then fails on the first one's success.
      // Read, because not every engine returns the item with the failure. If yet another write has replaced ours,
      // the answer is `lost`: the caller reads again, which is right then too.
      const { Item: item } = await this.#client.send(
        new GetItemCommand({ TableName: this.#table, Key: this.#key(sortKey), ConsistentRead: true }),
      );
      return item?.['writeId']?.S === writeId ? 'written' : 'lost';
    }
  }

  async delete(sortKey: string): Promise<void> {
    await this.#client.send(new DeleteItemCommand({ TableName: this.#table, Key: this.#key(sortKey) }));
  }

  #rangeQuery([first, last]: KeyRange): QueryCommandInput {
    return {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':partition': { S: this.#partition }, ':first': { S: first }, ':last': { S: last } },
      ConsistentRead: true,
    };
  }

  #key(sortKey: string): Item {
    return { pk: { S: this.#partition }, sk: { S: sortKey } };
  }

  #item(sortKey: string, attributes: Item): Item {
    return { ...this.#key(sortKey), schema: { N: String(itemSchema) }, ...attributes };
  }
}
