import { randomBytes } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { NewerSchemaError, OversizedItemError } from '../../../shared/adapters/dynamodb/errors.ts';
import { DynamoLedgerStore } from '../../../shared/adapters/dynamodb/ledger-store.ts';
import type { ResourceLedger } from '../../../shared/domain/model.ts';
import { entriesOf, ledgerStoreContract, writeVersions } from '../ledger-store-contract.ts';
import { engineKinds, TestTable } from './engines.ts';
import { injectFaults, noteCalls } from './faults.ts';
import { aGrant, aLedger, aPass, aProvider, nextLedger } from './records.ts';
import { setSchema } from './set-schema.ts';

describe.each(engineKinds)('DynamoLedgerStore on %s', (kind) => {
  const table = new TestTable(kind);
  ledgerStoreContract(() => new DynamoLedgerStore(table.newSite()));

  it('keeps sites apart', async () => {
    await new DynamoLedgerStore(table.newSite()).write(undefined, aLedger('hfsshpc'));
    expect(await new DynamoLedgerStore(table.newSite()).read()).toEqual({ ledgers: [], providers: [] });
  });

  it('reads a site with one strongly consistent query, whatever lies beside it', async () => {
    const site = table.newSite();
    const store = new DynamoLedgerStore(site);
    await writeVersions(store, [1, 2, 3]);
    await store.writeProvider(undefined, aProvider('pool', 1));
    // Would fill a page of its own, if it were read.
    await store.recordPass(aPass('pass-1', { policyDigest: incompressible(1_500_000) }));
    const calls = noteCalls(site.client);
    await store.read();
    expect(calls).toMatchObject([{ name: 'QueryCommand', input: { ConsistentRead: true } }]);
  });

  it('writes a ledger with two calls', async () => {
    const site = table.newSite();
    const store = new DynamoLedgerStore(site);
    const first = aLedger('hfsshpc');
    await store.write(undefined, first);
    const calls = noteCalls(site.client);
    await store.write(first, nextLedger(first));
    expect(calls.map((call) => call.name)).toEqual(['PutItemCommand', 'PutItemCommand']);
  });

  it('reads more ledgers than fit into one page', async () => {
    const store = new DynamoLedgerStore(table.newSite());
    const ledgers = Array.from({ length: 12 }, (_, index) =>
      aLedger(`resource-${String(index).padStart(2, '0')}`, { grants: manyGrants(600) }),
    );
    expect(Buffer.byteLength(JSON.stringify(ledgers))).toBeGreaterThan(1_500_000);
    for (const ledger of ledgers) await store.write(undefined, ledger);
    expect((await store.read()).ledgers).toEqual(ledgers);
  });

  it('reads a history that is longer than one page', async () => {
    const store = new DynamoLedgerStore(table.newSite());
    let current = aLedger('hfsshpc');
    await store.write(undefined, current);
    const reason = 'r'.repeat(150_000);
    for (let version = 2; version <= 12; version += 1) {
      const next = nextLedger(current);
      const long = { ...next, lastEntry: { ...next.lastEntry, changes: [{ kind: 'unconfirmed', reason }] } } as const;
      expect(await store.write(current, long)).toBe('written');
      current = long;
    }
    const versions = (await entriesOf(store, 'hfsshpc')).map((entry) => entry.version);
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('goes on after a version with a query that begins there', async () => {
    const site = table.newSite();
    const store = new DynamoLedgerStore(site);
    const entries = await writeVersions(store, [1, 2, 3, 4, 5, 6, 7, 8]);
    const calls = noteCalls(site.client);
    expect(await entriesOf(store, 'hfsshpc', { after: 5 })).toEqual(entries.slice(5));
    expect(calls).toMatchObject([
      { name: 'GetItemCommand' },
      {
        name: 'QueryCommand',
        input: { ExpressionAttributeValues: { ':first': { S: 'HISTORY#hfsshpc#000000000006' } } },
      },
    ]);
  });

  it('reads the last days of a long history without reading it through', async () => {
    const site = table.newSite();
    const store = new DynamoLedgerStore(site);
    const day = 86_400_000;
    let current: ResourceLedger | undefined;
    for (let version = 1; version <= 64; version += 1) {
      const next = current === undefined ? aLedger('hfsshpc') : nextLedger(current);
      const dated = { ...next, lastEntry: { ...next.lastEntry, at: version * day } };
      await store.write(current, dated);
      current = dated;
    }
    const calls = noteCalls(site.client);
    const entries = await entriesOf(store, 'hfsshpc', { from: 61 * day });
    expect(entries.map((entry) => entry.version)).toEqual([61, 62, 63, 64]);
    expect(calls.length).toBeLessThan(10);
    expect(calls.at(-1)?.input).toMatchObject({
      ExpressionAttributeValues: { ':first': { S: 'HISTORY#hfsshpc#000000000061' } },
    });
  });

  it('refuses a ledger that is too large before anything is sent, naming it and its size', async () => {
    const site = table.newSite();
    const store = new DynamoLedgerStore(site);
    const first = aLedger('hfsshpc');
    await store.write(undefined, first);
    const calls = noteCalls(site.client);
    const error: unknown = await store
      .write(first, nextLedger(first, 1, { grants: manyGrants(2_000) }))
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(OversizedItemError);
    expect(error).toMatchObject({ item: 'RESOURCE#hfsshpc', maximumBytes: 358_400 });
    expect(error).toHaveProperty('message', expect.stringMatching(/hfsshpc: it has \d{6} bytes/));
    expect(calls).toEqual([]);
  });

  describe('a site where a newer version has written', () => {
    async function siteWithNewer(sortKey: string) {
      const site = table.newSite();
      const store = new DynamoLedgerStore(site);
      const ledgers = [aLedger('hfss_solve'), aLedger('hfsshpc')] as const;
      for (const ledger of ledgers) await store.write(undefined, ledger);
      await store.writeProvider(undefined, aProvider('pool', 1));
      await store.writeUnheardSince(1);
      await setSchema(site, sortKey, 2);
      return { site, store, ledgers };
    }

    it('a ledger is read without it, and not as if there were none', async () => {
      const { store, ledgers } = await siteWithNewer('RESOURCE#hfsshpc');
      const { ledgers: read, unreadable } = await store.read();
      expect(read).toEqual([ledgers[0]]);
      expect(unreadable).toMatchObject([{ kind: 'resource', name: 'hfsshpc' }]);
      expect(unreadable?.[0]?.reason).toMatch(/RESOURCE#hfsshpc: it has schema 2.*up to 1\. Deploy the newer version/);
    });

    it('a ledger refuses every write of an older version, and stays as it is', async () => {
      const { site, store, ledgers } = await siteWithNewer('RESOURCE#hfsshpc');
      const [, ledger] = ledgers;
      await expect(store.write(undefined, ledger)).rejects.toBeInstanceOf(NewerSchemaError);
      await setSchema(site, 'RESOURCE#hfsshpc', 1);
      expect((await store.read()).ledgers).toEqual(ledgers);
    });

    it("a provider's terms is read without them", async () => {
      const { store, ledgers } = await siteWithNewer('PROVIDER#pool');
      expect(await store.read()).toMatchObject({
        ledgers,
        providers: [],
        unreadable: [{ kind: 'provider', name: 'pool' }],
      });
      await expect(store.writeProvider(undefined, aProvider('pool', 1))).rejects.toBeInstanceOf(NewerSchemaError);
    });

    it('when the controller was last heard is not read, as all its resources depend on that', async () => {
      const { store } = await siteWithNewer('PROVISION#controller');
      const error: unknown = await store.read().catch((error: unknown) => error);
      expect(error).toBeInstanceOf(NewerSchemaError);
      expect(error).toMatchObject({ item: 'PROVISION#controller', schema: 2, knownSchema: 1 });
    });
  });

  it('names a ledger that is damaged, and reads the site without it', async () => {
    const site = table.newSite();
    const item = { pk: { S: `SITE#${site.site}` }, sk: { S: 'RESOURCE#hfsshpc' }, body: { S: '{' } };
    await site.client.send(new PutItemCommand({ TableName: site.table, Item: item }));
    const { ledgers, unreadable } = await new DynamoLedgerStore(site).read();
    expect(ledgers).toEqual([]);
    expect(unreadable).toMatchObject([{ name: 'hfsshpc', reason: expect.stringContaining('damaged') }]);
  });

  describe('large pass records', () => {
    it('come back whole from several items', async () => {
      const site = table.newSite();
      const store = new DynamoLedgerStore(site);
      const calls = noteCalls(site.client);
      const record = aPass('pass-1', { policyDigest: incompressible(900_000) });
      await store.recordPass(record);
      expect(calls.length).toBeGreaterThan(1);
      expect(await store.pass('pass-1')).toEqual(record);
    });

    it('are not there until their last part is, and can then be recorded again', async () => {
      const site = table.newSite();
      const store = new DynamoLedgerStore(site);
      const record = aPass('pass-1', { policyDigest: incompressible(900_000) });
      injectFaults(site.client, 'PutItemCommand', [undefined, 'died before it was sent']);
      await expect(store.recordPass(record)).rejects.toThrow('died');
      expect(await store.pass('pass-1')).toBeUndefined();
      await store.recordPass(record);
      expect(await store.pass('pass-1')).toEqual(record);
    });

    it('are refused before anything is sent when they would need more than 16 items', async () => {
      const site = table.newSite();
      const calls = noteCalls(site.client);
      const recording = new DynamoLedgerStore(site).recordPass(
        aPass('pass-1', { policyDigest: incompressible(6_500_000) }),
      );
      await expect(recording).rejects.toMatchObject({ item: 'PASS#pass-1', maximumBytes: 16 * 358_400 });
      expect(calls).toEqual([]);
    });
  });
});

const manyGrants = (count: number) => Array.from({ length: count }, (_, index) => aGrant(`grant-${index}`));

const incompressible = (bytes: number): string => randomBytes(bytes).toString('base64');
