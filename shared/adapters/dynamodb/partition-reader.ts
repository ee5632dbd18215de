import {
  GetItemCommand,
  paginateQuery,
  QueryCommand,
  type DynamoDBClient,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './items.ts';
import { broughtForward } from './schema.ts';

type KeyRange = readonly [first: string, last: string];

/**
 * The items of a table that belong together: those of one site, or of one pool. Reads are strongly consistent. It is a
 * file of its own so that the code of a function which only reads holds no write, and its role needs no right to one.
 */
export class PartitionReader {
  protected readonly client: DynamoDBClient;
  protected readonly table: string;
  readonly #name: string;

  /** `name`: the partition key of every item. */
  constructor(client: DynamoDBClient, table: string, name: string) {
    this.client = client;
    this.table = table;
    this.#name = name;
  }

  async get(sortKey: string): Promise<Item | undefined> {
    const { Item: item } = await this.client.send(
      new GetItemCommand({ TableName: this.table, Key: this.key(sortKey), ConsistentRead: true }),
    );
    return item && broughtForward(item);
  }

  /** All items from `first` to `last`, both included, in the order of their keys. */
  async *query(range: KeyRange): AsyncIterable<Item> {
    for await (const item of this.stored(range)) yield broughtForward(item);
  }

  /** The same as they are stored, of whatever schema: for whoever can do without one that is refused. */
  async *stored(range: KeyRange): AsyncIterable<Item> {
    const pages = paginateQuery({ client: this.client }, this.#rangeQuery(range));
    for await (const page of pages) yield* page.Items ?? [];
  }

  /** The first item of the range. */
  async first(range: KeyRange): Promise<Item | undefined> {
    const { Items: [item] = [] } = await this.client.send(new QueryCommand({ ...this.#rangeQuery(range), Limit: 1 }));
    return item && broughtForward(item);
  }

  protected key(sortKey: string): Item {
    return { pk: { S: this.#name }, sk: { S: sortKey } };
  }

  #rangeQuery([first, last]: KeyRange): QueryCommandInput {
    return {
      TableName: this.table,
      KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':partition': { S: this.#name }, ':first': { S: first }, ':last': { S: last } },
      ConsistentRead: true,
    };
  }
}
