import { describe, expect, it } from 'vitest';
import { MemoryLedgerStore } from '../../../shared/adapters/memory/ledger-store.ts';
import { aLedger, aPass } from '../dynamodb/records.ts';
import { ledgerStoreContract } from '../ledger-store-contract.ts';

describe('MemoryLedgerStore', () => {
  ledgerStoreContract(() => new MemoryLedgerStore());

  it('keeps what it is given without copying it, and nobody can change it', async () => {
    const store = new MemoryLedgerStore();
    const [ledger, pass] = [aLedger('hfsshpc'), aPass('pass-1')];
    await store.write(undefined, ledger);
    await store.recordPass(pass);
    const { ledgers } = await store.read();
    expect(ledgers[0]).toBe(ledger);
    expect(Object.isFrozen(ledgers)).toBe(true);
    expect(Object.isFrozen(ledger.lastEntry.changes)).toBe(true);
    expect(Object.isFrozen(pass.observation?.waiting)).toBe(true);
  });
});
