import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { DynamoDemandWindow } from '../../../shared/adapters/dynamodb/demand-window.ts';
import { NewerSchemaError } from '../../../shared/adapters/dynamodb/errors.ts';
import type { Item } from '../../../shared/adapters/dynamodb/items.ts';
import { DynamoLedgerStore } from '../../../shared/adapters/dynamodb/ledger-store.ts';
import { broughtForward, stamped, type Upgrade } from '../../../shared/adapters/dynamodb/schema.ts';
import { DynamoPoolStore } from '../../../shared/pool/dynamo-store.ts';
import { aClaim, aGrant as aLoan, aShelf } from '../../pool/support.ts';
import { entriesOf } from '../ledger-store-contract.ts';
import { engineKinds, TestTable } from './engines.ts';
import { aGrant, aLedger, aPass, aProvider, nextLedger } from './records.ts';
import { setSchema } from './set-schema.ts';

const item = (attributes: Item = {}): Item => ({ sk: { S: 'RESOURCE#hfsshpc' }, ...attributes });
const recordedItem = z.record(
  z.string(),
  z.union([z.strictObject({ S: z.string() }), z.strictObject({ N: z.string() }), z.strictObject({ B: z.string() })]),
);
const schema = (number: number): Item => ({ schema: { N: String(number) } });

describe('an item', () => {
  /** Each leaves its mark, so that the order shows. */
  const mark =
    (text: string): Upgrade =>
    ({ marks, ...rest }) => ({ ...rest, marks: { S: `${marks?.S ?? ''}${text}` } });
  const steps = [mark('a'), mark('b'), mark('c')];

  it.each([
    [{}, 'abc'],
    [schema(1), 'abc'],
    [schema(2), 'bc'],
    [schema(3), 'c'],
    [schema(4), undefined],
  ])('of %o goes through the steps that it lacks, in their order', (written, marks) => {
    expect(broughtForward(item(written), steps)['marks']?.S).toBe(marks);
  });

  it('that a newer version has written is refused, with the mend', () => {
    expect(() => broughtForward(item(schema(5)), steps)).toThrow(NewerSchemaError);
    expect(() => broughtForward(item(schema(5)), steps)).toThrow(
      'reading RESOURCE#hfsshpc: it has schema 5, and this version knows schemas up to 4. Deploy the newer version again.',
    );
  });

  it('is written with the schema that the last step leads to', () => {
    expect(stamped(item(schema(1)), steps)).toEqual(item(schema(4)));
    expect(stamped(item())).toEqual(item(schema(1)));
  });
});

describe.each(engineKinds)('on %s, what was recorded under schema 1', (kind) => {
  const table = new TestTable(kind);
  const site = () => ({ client: table.client(), table: table.table, site: 'munich' });
  const pool = () => new DynamoPoolStore({ client: table.client(), table: table.table, pool: 'burst' });

  beforeAll(async () => {
    for (const Item of recorded()) await site().client.send(new PutItemCommand({ TableName: table.table, Item }));
  });

  it('is read: the ledgers, their history, the terms of providers, a freeze and a silence', async () => {
    const store = new DynamoLedgerStore(site());
    const first = aLedger('hfsshpc', { grants: [aGrant('grant-1')] });
    const second = nextLedger(first);
    expect(await store.read()).toEqual({
      ledgers: [second],
      providers: [aProvider('pool', 1)],
      unheardSince: 1_700_000_000_000,
      frozen: { since: 1_700_000_000_000, by: 'operator' },
    });
    expect(await entriesOf(store, 'hfsshpc')).toEqual([first.lastEntry, second.lastEntry]);
  });

  it('is read: what a pass saw', async () => {
    expect(await new DynamoLedgerStore(site()).pass('pass-1')).toEqual(aPass('pass-1'));
  });

  it('is read: the window in which demand is joined', async () => {
    expect(await new DynamoDemandWindow(site()).enter(1_700_000_000_001)).toEqual({ joinAt: 1_700_000_001_000 });
  });

  it('is read: a shelf and a record of a pool', async () => {
    expect(await pool().readShelves()).toEqual([aShelf(aLoan())]);
    expect(await pool().readRecord('g-1')).toEqual(aClaim());
  });

  it('is written forward with the next write', async () => {
    const store = new DynamoLedgerStore(site());
    const [ledger] = (await store.read()).ledgers;
    expect(ledger && (await store.write(ledger, nextLedger(ledger)))).toBe('written');
    expect((await store.read()).ledgers).toMatchObject([{ version: 3 }]);
  });
});

describe.each(engineKinds)('on %s, the demand window that a newer version has written', (kind) => {
  const table = new TestTable(kind);

  it('is refused, and stays as it is', async () => {
    const site = table.newSite();
    const window = new DynamoDemandWindow(site);
    expect(await window.enter(1_000_000)).toBe('first');
    await setSchema(site, 'DEMAND', 2);
    await expect(window.enter(2_000_000)).rejects.toBeInstanceOf(NewerSchemaError);
    await setSchema(site, 'DEMAND', 1);
    expect(await window.enter(1_000_001)).toEqual({ joinAt: 1_001_000 });
  });
});

/** Each as it lay in a table. */
function recorded(): Item[] {
  const folder = join(import.meta.dirname, 'recorded/schema-1');
  return readdirSync(folder).map((file) => {
    const item: Item = {};
    const attributes = recordedItem.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    for (const [name, value] of Object.entries(attributes)) {
      item[name] = 'B' in value ? { B: Buffer.from(value.B, 'base64') } : value;
    }
    return item;
  });
}
