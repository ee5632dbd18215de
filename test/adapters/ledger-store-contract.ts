import { describe, expect, it } from 'vitest';
import type { HistoryEntry, ResourceLedger } from '../../shared/domain/model.ts';
import type { HistoryRange, HistoryStore, LedgerStore } from '../../shared/ports.ts';
import { aGrant, aLedger, aPass, aProvider, instantOf, nextLedger } from './dynamodb/records.ts';

/** What every ledger store does. `open` gives a store of a site that nobody has used yet. */
export function ledgerStoreContract(open: () => LedgerStore & HistoryStore): void {
  describe('ledgers', () => {
    it('has nothing of a new site', async () => {
      expect(await open().read()).toEqual({ ledgers: [], providers: [] });
    });

    it('reads back exactly what was written, in the order of names', async () => {
      const store = open();
      const [hpc, solve] = [aLedger('hfsshpc', { grants: [aGrant('g-1'), aGrant('g-2')] }), aLedger('hfss_solve')];
      expect(await store.write(undefined, hpc)).toBe('written');
      expect(await store.write(undefined, solve)).toBe('written');
      const { ledgers } = await store.read();
      expect(JSON.stringify(ledgers)).toBe(JSON.stringify([solve, hpc]));
    });

    it('loses the write that opens a ledger when there is one', async () => {
      const store = open();
      const first = aLedger('hfsshpc');
      await store.write(undefined, first);
      expect(await store.write(undefined, aLedger('hfsshpc', { grants: [aGrant('g-1')] }))).toBe('lost');
      expect((await store.read()).ledgers).toEqual([first]);
    });

    it('loses a write on an older version, and one on a ledger that is not there', async () => {
      const store = open();
      const first = aLedger('hfsshpc');
      const second = nextLedger(first);
      expect(await store.write(first, second)).toBe('lost');
      await store.write(undefined, first);
      await store.write(first, second);
      expect(await store.write(first, nextLedger(first))).toBe('lost');
      expect((await store.read()).ledgers).toEqual([second]);
    });

    it('takes a version that skips numbers', async () => {
      const store = open();
      const first = aLedger('hfsshpc');
      const later = nextLedger(first, 7);
      await store.write(undefined, first);
      expect(await store.write(first, later)).toBe('written');
      expect(await store.write(later, nextLedger(later))).toBe('written');
    });

    it('lets exactly one of 20 writers through on each version', async () => {
      const store = open();
      let current: ResourceLedger | undefined;
      for (let round = 0; round < 5; round += 1) {
        const candidates = Array.from({ length: 20 }, (_, writer) =>
          current === undefined
            ? aLedger('hfsshpc', { grants: [aGrant(`writer-${writer}`)] })
            : nextLedger(current, 1, { grants: [aGrant(`writer-${writer}`)] }),
        );
        const outcomes = await Promise.all(candidates.map((candidate) => store.write(current, candidate)));
        const winners = candidates.filter((_, writer) => outcomes[writer] === 'written');
        expect(winners).toHaveLength(1);
        [current] = winners;
        expect((await store.read()).ledgers).toEqual(winners);
      }
    });
  });

  describe('history', () => {
    it('gives every entry once, oldest first, including the one that the ledger still holds', async () => {
      const store = open();
      const written = await writeVersions(store, [1, 2, 3, 9, 10, 11]);
      expect(await entriesOf(store, 'hfsshpc')).toEqual(written);
    });

    it('keeps the histories of resources apart, also where one name begins with the other', async () => {
      const store = open();
      const hpc = await writeVersions(store, [1, 2], 'hpc');
      const hpc2 = await writeVersions(store, [1, 2, 3], 'hpc2');
      expect(await entriesOf(store, 'hpc')).toEqual(hpc);
      expect(await entriesOf(store, 'hpc2')).toEqual(hpc2);
      expect(await entriesOf(store, 'hp')).toEqual([]);
    });

    it('gives the entries from one instant to another, both included', async () => {
      const store = open();
      const [, second, third, fourth] = await writeVersions(store, [1, 2, 3, 4]);
      expect(await entriesOf(store, 'hfsshpc', { from: instantOf(2), to: instantOf(3) })).toEqual([second, third]);
      expect(await entriesOf(store, 'hfsshpc', { from: instantOf(4) })).toEqual([fourth]);
      expect(await entriesOf(store, 'hfsshpc', { from: instantOf(4) + 1 })).toEqual([]);
    });

    it('goes on after any version, whether or not there is an entry of that version', async () => {
      const store = open();
      const entries = await writeVersions(store, [1, 2, 5, 6]);
      for (const after of [0, 1, 2, 3, 4, 5, 6, 7, 35 ** 10]) {
        expect(await entriesOf(store, 'hfsshpc', { after })).toEqual(entries.filter(({ version }) => version > after));
      }
    });

    it('goes on after a version within a range of time', async () => {
      const store = open();
      const [, , third, fourth] = await writeVersions(store, [1, 2, 3, 4, 5]);
      const range = { from: instantOf(2), to: instantOf(4) };
      expect(await entriesOf(store, 'hfsshpc', { ...range, after: 2 })).toEqual([third, fourth]);
      expect(await entriesOf(store, 'hfsshpc', { ...range, after: 4 })).toEqual([]);
    });

    it('gives any range of it, also where the clocks of two writers differed', async () => {
      const store = open();
      const minutes = [0, 50, 40, 100, 90, 300, 310, 305, 400, 1_000, 1_001, 990, 2_000];
      const entries: HistoryEntry[] = [];
      let current: ResourceLedger | undefined;
      for (const [index, minute] of minutes.entries()) {
        const next = current === undefined ? aLedger('hfsshpc') : nextLedger(current, 1 + (index % 3));
        const entry = { ...next.lastEntry, at: minute * 60_000 };
        await store.write(current, { ...next, lastEntry: entry });
        current = { ...next, lastEntry: entry };
        entries.push(entry);
      }
      for (const [from, to] of minutes.flatMap((from) => minutes.map((to) => [from * 60_000, to * 60_000] as const))) {
        const inRange = entries.filter(({ at }) => from <= at && at <= to);
        expect(await entriesOf(store, 'hfsshpc', { from, to })).toEqual(inRange);
      }
    });

    it('has no gap when the ledger is written to while it is read', async () => {
      const store = open();
      const before = await writeVersions(store, [1, 2, 3]);
      const versions: number[] = [];
      for await (const entry of store.history('hfsshpc')) {
        versions.push(entry.version);
        if (entry.version === 1) await writeVersions(store, [4, 5], 'hfsshpc', (await store.read()).ledgers[0]);
      }
      expect(versions).toEqual(before.map((entry) => entry.version));
      expect((await entriesOf(store, 'hfsshpc')).map((entry) => entry.version)).toEqual([1, 2, 3, 4, 5]);
    });
  });

  describe('providers', () => {
    it('writes a record only over the version that the writer has read', async () => {
      const store = open();
      const [first, second] = [aProvider('pool', 1), aProvider('pool', 2)];
      expect(await store.writeProvider(undefined, first)).toBe('written');
      expect(await store.writeProvider(undefined, second)).toBe('lost');
      expect(await store.writeProvider(first, second)).toBe('written');
      expect(await store.writeProvider(first, second)).toBe('lost');
      await store.writeProvider(undefined, aProvider('burst', 1));
      expect((await store.read()).providers).toEqual([aProvider('burst', 1), second]);
    });
  });

  describe('the instant since which the controller is unheard', () => {
    it('stays until the controller is heard again', async () => {
      const store = open();
      await store.writeUnheardSince(1_700_000_000_000);
      expect(await store.read()).toEqual({ ledgers: [], providers: [], unheardSince: 1_700_000_000_000 });
      await store.writeUnheardSince(undefined);
      expect(await store.read()).toEqual({ ledgers: [], providers: [] });
      await expect(store.writeUnheardSince(undefined)).resolves.toBeUndefined();
    });
  });

  describe('pass records', () => {
    it('keeps what a pass saw, once however often it is recorded', async () => {
      const store = open();
      await store.recordPass(aPass('pass-1'));
      await store.recordPass(aPass('pass-1'));
      expect(await store.pass('pass-1')).toEqual(aPass('pass-1'));
    });

    it('knows no pass by the beginning of its id', async () => {
      const store = open();
      await store.recordPass(aPass('pass-10'));
      expect(await store.pass('pass-1')).toBeUndefined();
    });

    it('is no part of what a pass reads', async () => {
      const store = open();
      await store.recordPass(aPass('pass-1'));
      expect(await store.read()).toEqual({ ledgers: [], providers: [] });
    });
  });
}

/** Writes one ledger version after the other and gives the entries that history must hold then. */
export async function writeVersions(
  store: LedgerStore,
  versions: readonly number[],
  resource = 'hfsshpc',
  start?: ResourceLedger,
): Promise<HistoryEntry[]> {
  let current = start;
  const entries: HistoryEntry[] = [];
  for (const version of versions) {
    const next: ResourceLedger =
      current === undefined ? aLedger(resource) : nextLedger(current, version - current.version);
    expect(await store.write(current, next)).toBe('written');
    entries.push(next.lastEntry);
    current = next;
  }
  return entries;
}

export async function entriesOf(store: HistoryStore, resource: string, range?: HistoryRange): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for await (const entry of store.history(resource, range)) entries.push(entry);
  return entries;
}
