import { describe, expect, it } from 'vitest';
import { DynamoLedgerStore } from '../../../shared/adapters/dynamodb/ledger-store.ts';
import type { ResourceLedger } from '../../../shared/domain/model.ts';
import { entriesOf } from '../ledger-store-contract.ts';
import { engineKinds, TestTable } from './engines.ts';
import { injectFaults, type Fault } from './faults.ts';
import { aGrant, aLedger, nextLedger } from './records.ts';

const first = aLedger('hfsshpc');
const second = nextLedger(first);
const foreign = nextLedger(first, 1, { grants: [aGrant('foreign')] });

describe.each(engineKinds)('DynamoLedgerStore on %s', (kind) => {
  const table = new TestTable(kind);

  /** A healthy store of a site with the first version in it, and one whose puts have faults. */
  async function openWithFaults(faults: (Fault | undefined)[], meanwhile?: (ours: ResourceLedger) => ResourceLedger) {
    const site = table.newSite();
    const store = new DynamoLedgerStore(site);
    await store.write(undefined, first);
    const faulty = { ...site, client: table.client() };
    injectFaults(faulty.client, 'PutItemCommand', faults, async () => {
      const [ours] = (await store.read()).ledgers;
      if (ours !== undefined && meanwhile !== undefined) await store.write(ours, meanwhile(ours));
    });
    return { store, faulty: new DynamoLedgerStore(faulty) };
  }

  async function versionsOf(store: DynamoLedgerStore) {
    const [ledger] = (await store.read()).ledgers;
    return { ledger: ledger?.version, history: (await entriesOf(store, 'hfsshpc')).map((entry) => entry.version) };
  }

  describe('when a writer dies', () => {
    it.each<[string, (Fault | undefined)[], number[]]>([
      ['before the history item', ['died before it was sent'], [1]],
      ['after the history item', ['died before the answer'], [1]],
      ['before the ledger item', [undefined, 'died before it was sent'], [1]],
      ['after the ledger item', [undefined, 'died before the answer'], [1, 2]],
    ])('%s, history has each entry once and the next write goes on', async (_, faults, history) => {
      const { store, faulty } = await openWithFaults(faults);
      await expect(faulty.write(first, second)).rejects.toThrow('died');
      expect(await versionsOf(store)).toEqual({ ledger: history.at(-1), history });
      const [current] = (await store.read()).ledgers;
      expect(await store.write(current, nextLedger(current ?? first))).toBe('written');
      expect((await versionsOf(store)).history).toEqual([...history, history.length + 1]);
    });
  });

  describe('when the SDK tries a write again that has already been done', () => {
    it('knows its own write', async () => {
      const { store, faulty } = await openWithFaults([undefined, 'unanswered']);
      expect(await faulty.write(first, second)).toBe('written');
      expect(await versionsOf(store)).toEqual({ ledger: 2, history: [1, 2] });
    });

    it('knows its own write of a first version', async () => {
      const { store, faulty } = await openWithFaults(['unanswered']);
      expect(await faulty.write(undefined, aLedger('hfss_solve'))).toBe('written');
      expect((await store.read()).ledgers.map((ledger) => ledger.resource)).toEqual(['hfss_solve', 'hfsshpc']);
    });

    it('says lost when yet another write has replaced it, and history keeps both', async () => {
      const { store, faulty } = await openWithFaults([undefined, 'unanswered'], (ours) => nextLedger(ours));
      expect(await faulty.write(first, second)).toBe('lost');
      expect(await versionsOf(store)).toEqual({ ledger: 3, history: [1, 2, 3] });
    });

    it('does not take the write of somebody else for its own', async () => {
      const { store, faulty } = await openWithFaults(['unanswered'], () => foreign);
      expect(await faulty.write(first, second)).toBe('lost');
      expect((await store.read()).ledgers).toEqual([foreign]);
    });
  });
});
