import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { DamagedItemError, NewerSchemaError, OversizedItemError } from '../../shared/adapters/dynamodb/errors.ts';
import { DynamoPoolStore } from '../../shared/pool/dynamo-store.ts';
import { maxRecentGrants, maxOpenGrants, type OpenGrant, type Shelf } from '../../shared/pool/shelf.ts';
import { engineKinds, TestTable } from '../adapters/dynamodb/engines.ts';
import { injectFaults } from '../adapters/dynamodb/faults.ts';
import { poolStoreContract } from './store-contract.ts';
import { aClaim, aGrant, aShelf, start } from './support.ts';

const someReturn = (n: number) => ({ returnId: randomUUID(), tokens: 8, at: start + n });

function grants(count: number, returnsEach: number): OpenGrant[] {
  return Array.from({ length: count }, (_, n) =>
    aGrant({
      id: randomUUID(),
      site: `site-${n % 64}`,
      madeAt: start + n * 777,
      expiresAt: start + n * 977,
      returns: Array.from({ length: returnsEach }, (_, each) => someReturn(each)),
    }),
  );
}

const fullShelf: Shelf = {
  ...aShelf(...grants(maxOpenGrants, 1)),
  recent: grants(maxRecentGrants, 0).map(({ id }) => ({ ...aClaim({ id }), state: 'ended', at: start })),
};

describe.each(engineKinds)('DynamoPoolStore on %s', (kind) => {
  const table = new TestTable(kind);

  function newPool() {
    const { site: pool, ...rest } = table.newSite();
    return { ...rest, pool };
  }

  poolStoreContract(() => new DynamoPoolStore(newPool()));

  it('keeps two pools of one table apart', async () => {
    const options = newPool();
    await new DynamoPoolStore(options).writeShelf(aShelf());
    expect(await new DynamoPoolStore({ ...options, pool: `${options.pool}2` }).readShelves()).toEqual([]);
  });

  it('keeps a full shelf', async () => {
    const store = new DynamoPoolStore(newPool());
    expect(await store.writeShelf(fullShelf)).toBe('written');
    expect(await store.readShelf('hfsshpc')).toEqual(fullShelf);
  });

  it('reads more shelves than one page of a query holds', async () => {
    const store = new DynamoPoolStore(newPool());
    for (let n = 0; n < 16; n++) await store.writeShelf({ ...fullShelf, resource: `feature-${n}` });
    expect(await store.readShelves()).toHaveLength(16);
  });

  it('refuses a shelf that does not fit into an item, and keeps the one before', async () => {
    const store = new DynamoPoolStore(newPool());
    await store.writeShelf(aShelf());
    const oversized = { ...aShelf(...grants(maxOpenGrants, 16)), version: 2 };
    await expect(store.writeShelf(oversized)).rejects.toThrow(OversizedItemError);
    expect(await store.readShelf('hfsshpc')).toEqual(aShelf());
  });

  it('knows its own writes when the SDK tries one again that has already been done', async () => {
    const options = newPool();
    injectFaults(options.client, 'PutItemCommand', ['unanswered', undefined, 'unanswered']);
    const store = new DynamoPoolStore(options);
    expect(await store.claim(aClaim())).toEqual(aClaim());
    expect(await store.writeShelf(aShelf())).toBe('written');
  });

  it.each<[string, object, new (...args: never[]) => Error]>([
    ['has no content', { schema: { N: '1' } }, DamagedItemError],
    ['holds something else', { schema: { N: '1' }, body: { B: Buffer.from('garbage') } }, DamagedItemError],
    ['is of a newer schema', { schema: { N: '99' } }, NewerSchemaError],
  ])('does not take a shelf for empty that %s', async (_, attributes, error) => {
    const options = newPool();
    const Item = { pk: { S: `POOL#${options.pool}` }, sk: { S: 'SHELF#hfsshpc' }, ...attributes };
    await options.client.send(new PutItemCommand({ TableName: options.table, Item }));
    const store = new DynamoPoolStore(options);
    await expect(store.readShelf('hfsshpc')).rejects.toThrow(error);
    await expect(store.readShelves()).rejects.toThrow(error);
  });
});
