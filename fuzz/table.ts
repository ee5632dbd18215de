/** A table of DynamoDB as far as a site's ledger uses one: single items, conditions on the version, ranges of one partition. */
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../shared/adapters/dynamodb/items.ts';

export type TableCommand = PutItemCommand | GetItemCommand | QueryCommand;

export class SimulatedTable {
  readonly #items = new Map<string, Item>();
  readonly #history = new Map<string, Item>();
  /** Told of each item that is put, in the same turn. */
  readonly #onPut: (sortKey: string, item: Item) => void;
  /** Puts are made by a version of the program from before items had a schema number. */
  writesOldSchema = false;

  constructor(onPut: (sortKey: string, item: Item) => void) {
    this.#onPut = onPut;
  }

  /** Throws `ConditionalCheckFailedException`. */
  execute(command: TableCommand): unknown {
    if (command instanceof PutItemCommand) return this.#put(command);
    if (command instanceof GetItemCommand) {
      const sortKey = command.input.Key?.['sk']?.S ?? '';
      return { Item: this.#partOf(sortKey).get(sortKey) };
    }
    const { ':first': first, ':last': last } = command.input.ExpressionAttributeValues ?? {};
    const [from = '', to = ''] = [first?.S, last?.S];
    const found = [...this.#partOf(from)].filter(([key]) => from <= key && key <= to);
    return { Items: found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item) };
  }

  /** As a version of the program would that is `newer` than the one which runs, or as that one does. */
  restamp(newer: boolean): void {
    for (const [key, item] of this.#items) {
      if (key.startsWith('RESOURCE#')) this.#items.set(key, { ...item, schema: { N: newer ? '99' : '1' } });
    }
  }

  #put({
    input: { Item: item = {}, ConditionExpression: condition, ExpressionAttributeValues: values },
  }: PutItemCommand) {
    const sortKey = item['sk']?.S ?? '';
    const part = this.#partOf(sortKey);
    const standing = part.get(sortKey);
    const holds =
      condition === undefined ||
      (condition.startsWith('attribute_not_exists')
        ? standing === undefined
        : standing?.['version']?.N === values?.[':previous']?.N);
    if (!holds) throw new ConditionalCheckFailedException({ message: 'The conditional request failed', $metadata: {} });
    const { schema, ...unstamped } = item;
    part.set(sortKey, this.writesOldSchema || schema === undefined ? unstamped : item);
    this.#onPut(sortKey, item);
    return {};
  }

  /** History grows and is hardly ever read. */
  #partOf(sortKey: string): Map<string, Item> {
    return sortKey.startsWith('HISTORY#') ? this.#history : this.#items;
  }
}

/** A client whose every command goes through `send`. Its constructor, which reads the environment and files, is left out. */
export function clientOf(send: (command: TableCommand) => Promise<unknown>): DynamoDBClient {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK's pages are read only through its own class
  return Object.create(DynamoDBClient.prototype, { send: { value: send } }) as DynamoDBClient;
}
