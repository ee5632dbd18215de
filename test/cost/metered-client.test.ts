import { PutItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dynamoClient } from '../../shared/adapters/dynamodb/client.ts';
import { ensureTable } from '../../shared/adapters/dynamodb/ensure-table.ts';
import { meter, type MeteredRequest } from '../../shared/cost/metered-client.ts';
import { engineEnvironment, startEngine } from '../../shared/local/engine.ts';

const TableName = 'site';

async function meteredClient() {
  const engine = await startEngine();
  onTestFinished(() => engine.stop());
  const environment = engineEnvironment(engine);
  const plain = dynamoClient(environment);
  await ensureTable(plain, TableName);
  plain.destroy();
  const client = dynamoClient(environment);
  onTestFinished(() => client.destroy());
  const requests: MeteredRequest[] = [];
  meter(client, (request) => void requests.push(request));
  const put = (sk: string, bytes: number) =>
    client.send(
      new PutItemCommand({ TableName, Item: { pk: { S: 'a' }, sk: { S: sk }, body: { S: 'x'.repeat(bytes) } } }),
    );
  return { client, requests, put };
}

describe('a metered client', () => {
  it('counts a written unit for each KB that is begun, and says which item it was', async () => {
    const { requests, put } = await meteredClient();
    await put('HISTORY#x#1', 100);
    await put('RESOURCE#x', 2_500);
    expect(requests).toEqual([
      { readUnits: 0, writeUnits: 1, sortKey: 'HISTORY#x#1' },
      { readUnits: 0, writeUnits: 3, sortKey: 'RESOURCE#x' },
    ]);
  });

  it('counts the update of an item as a write', async () => {
    const { client, requests } = await meteredClient();
    const Key = { pk: { S: 'a' }, sk: { S: 'DEMAND' } };
    await client.send(new UpdateItemCommand({ TableName, Key }));
    expect(requests).toEqual([{ readUnits: 0, writeUnits: 1, sortKey: 'DEMAND' }]);
  });

  it('counts a unit for each 4 KB that a consistent query reads, of all items together', async () => {
    const { client, requests, put } = await meteredClient();
    for (const name of ['a', 'b', 'c']) await put(`RESOURCE#${name}`, 2_000);
    requests.length = 0;
    const query = {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
      ConsistentRead: true,
    };
    await client.send(new QueryCommand(query));
    expect(requests).toEqual([{ readUnits: 2, writeUnits: 0 }]);
  });
});
