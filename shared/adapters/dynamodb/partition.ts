import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  paginateQuery,
  PutItemCommand,
  QueryCommand,
  type DynamoDBClient,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { itemSchema, knownItem, type Item } from './items.ts';

type KeyRange = readonly [first: string, last: string];

/** The items of a table that belong together: those of one site, or of one pool. Reads are strongly consistent. */
export class Partition {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #name: string;

  /** `name`: the partition key of every item. */
  constructor(client: DynamoDBClient, table: string, name: string) {
    this.#client = client;
    this.#table = table;
    this.#name = name;
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

  /**
   * Puts the item in place of the one with `previousVersion`; `undefined`: in place of none. Answers what stands in the
   * way, or `undefined` when the item was put.
   */
  async putUnless(sortKey: string, previousVersion: number | undefined, attributes: Item): Promise<Item | undefined> {
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
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The answer to a first try may have been lost, and the SDK's second try then fails on the first one's success.
      // Read, because not every engine returns the item with the failure. If yet another write has replaced ours, that
      // one stands in the way: the caller reads again, which is right then too.
      const standing = await this.get(sortKey);
      return standing?.['writeId']?.S === writeId ? undefined : (standing ?? {});
    }
  }

  #rangeQuery([first, last]: KeyRange): QueryCommandInput {
    return {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':partition': { S: this.#name }, ':first': { S: first }, ':last': { S: last } },
      ConsistentRead: true,
    };
  }

  #key(sortKey: string): Item {
    return { pk: { S: this.#name }, sk: { S: sortKey } };
  }

  #item(sortKey: string, attributes: Item): Item {
    return { ...this.#key(sortKey), schema: { N: String(itemSchema) }, ...attributes };
  }
}
