import { describe, expect, it } from 'vitest';
import { DynamoFreezeStore } from '../../shared/adapters/dynamodb/freeze-store.ts';
import { DynamoLedgerStore } from '../../shared/adapters/dynamodb/ledger-store.ts';
import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import type { FreezeStore, LedgerStore } from '../../shared/ports.ts';
import { engineKinds, TestTable } from './dynamodb/engines.ts';
import { noteCalls } from './dynamodb/faults.ts';

/** `open` gives both sides of a site that nobody has used yet. */
function freezeStoreContract(open: () => { freezes: FreezeStore; ledger: Pick<LedgerStore, 'read'> }): void {
  it('keeps a freeze with the ledgers until it is taken back, and begins it anew', async () => {
    const { freezes, ledger } = open();
    const first = { since: 1_700_000_000_000, by: 'anna' };
    const second = { since: 1_700_000_000_001, by: 'ben' };
    await freezes.writeFreeze(first);
    expect(await ledger.read()).toEqual({ ledgers: [], providers: [], frozen: first });
    await freezes.writeFreeze(second);
    expect((await ledger.read()).frozen).toEqual(second);
    await freezes.writeFreeze(undefined);
    expect(await ledger.read()).toEqual({ ledgers: [], providers: [] });
    await expect(freezes.writeFreeze(undefined)).resolves.toBeUndefined();
  });
}

describe('MemoryLedgerStore', () => {
  freezeStoreContract(() => {
    const store = new MemoryLedgerStore();
    return { freezes: store, ledger: store };
  });
});

describe.each(engineKinds)('DynamoFreezeStore on %s', (kind) => {
  const table = new TestTable(kind);
  freezeStoreContract(() => {
    const site = table.newSite();
    return { freezes: new DynamoFreezeStore(site), ledger: new DynamoLedgerStore(site) };
  });

  it('costs a pass no query of its own', async () => {
    const site = table.newSite();
    await new DynamoFreezeStore(site).writeFreeze({ since: 1, by: 'anna' });
    const calls = noteCalls(site.client);
    await new DynamoLedgerStore(site).read();
    expect(calls.map(({ name }) => name)).toEqual(['QueryCommand']);
  });
});
