import {
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { dynamoClient } from '../../shared/adapters/dynamodb/client.ts';
import { ensureTable } from '../../shared/adapters/dynamodb/ensure-table.ts';
import { engineEnvironment, type Engine } from '../../shared/local/engine.ts';

const TableName = 'esr-test';

/** Puts one item after the other, up to `count`, and tells of each that the engine has acknowledged. */
export async function putNumbered(engine: Engine, count: number, acknowledged?: (number: number) => void) {
  await withClient(engine, async (client) => {
    await ensureTable(client, TableName);
    for (let number = 1; number <= count; number += 1) {
      await client.send(new PutItemCommand({ TableName, Item: keyOf(number) }));
      acknowledged?.(number);
    }
  });
}

/** Which of the first `count` items are not there. */
export function missing(engine: Engine, count: number): Promise<number[]> {
  return withClient(engine, async (client) => {
    const gone: number[] = [];
    for (let number = 1; number <= count; number += 1) {
      const { Item } = await client.send(new GetItemCommand({ TableName, Key: keyOf(number), ConsistentRead: true }));
      if (Item === undefined) gone.push(number);
    }
    return gone;
  });
}

export function tablesOf(engine: Engine): Promise<string[] | undefined> {
  return withClient(engine, async (client) => (await client.send(new ListTablesCommand({}))).TableNames);
}

const keyOf = (number: number): Record<string, AttributeValue> => ({
  pk: { S: 'numbered' },
  sk: { S: String(number) },
});

async function withClient<Result>(engine: Engine, use: (client: DynamoDBClient) => Promise<Result>): Promise<Result> {
  const client = dynamoClient(engineEnvironment(engine));
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}
