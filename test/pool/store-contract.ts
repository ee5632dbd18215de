import { expect, it } from 'vitest';
import type { BarredGrant, EndedGrant } from '../../shared/pool/shelf.ts';
import type { PoolStore } from '../../shared/pool/store.ts';
import { aClaim, aGrant, aShelf, start } from './support.ts';

const ended: EndedGrant = { ...aClaim(), state: 'ended', at: start };
const barred: BarredGrant = { state: 'barred', id: 'g-1', site: 'munich', at: start };

/** What every pool store does. `open` gives one that is empty. */
export function poolStoreContract(open: () => PoolStore): void {
  it('has nothing at first', async () => {
    const store = open();
    expect(await store.readShelf('hfsshpc')).toBeUndefined();
    expect(await store.readShelves()).toEqual([]);
    expect(await store.readRecord('g-1')).toBeUndefined();
  });

  it('reads back the shelf that was written', async () => {
    const store = open();
    const shelf = {
      ...aShelf(
        aGrant({ expiresAt: start + 5, recall: { by: start }, returns: [{ returnId: 'r', tokens: 8, at: start }] }),
      ),
      recent: [ended],
    };
    expect(await store.writeShelf(shelf)).toBe('written');
    expect(await store.readShelf('hfsshpc')).toEqual(shelf);
  });

  it('keeps the shelves of all resources apart', async () => {
    const store = open();
    const shelves = ['hfsshpc', 'hfsshpc.2', 'vcs_runtime@flex1'].map((resource) => ({ ...aShelf(), resource }));
    for (const shelf of shelves) await store.writeShelf(shelf);
    await store.claim(aClaim());
    expect(await store.readShelves()).toHaveLength(3);
    expect(await store.readShelves()).toEqual(expect.arrayContaining(shelves));
  });

  it.each([1, 2, 4])('writes nothing when version %i comes after version 2', async (version) => {
    const store = open();
    await store.writeShelf({ ...aShelf(), version: 1 });
    await store.writeShelf({ ...aShelf(), version: 2 });
    expect(await store.writeShelf({ ...aShelf(aGrant()), version })).toBe('lost');
    expect(await store.readShelf('hfsshpc')).toEqual({ ...aShelf(), version: 2 });
  });

  it('lets one of many write the next version', async () => {
    const store = open();
    await store.writeShelf(aShelf());
    const rivals = Array.from({ length: 8 }, (_, n) => ({ ...aShelf(aGrant({ id: `g-${n}` })), version: 2 }));
    const outcomes = await Promise.all(rivals.map((shelf) => store.writeShelf(shelf)));
    expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(1);
    expect(await store.readShelf('hfsshpc')).toEqual(rivals[outcomes.indexOf('written')]);
  });

  it('lets the first claim of an id stand, and tells everybody which that is', async () => {
    const store = open();
    expect(await store.claim(aClaim())).toEqual(aClaim());
    expect(await store.claim(aClaim({ asked: 8 }))).toEqual(aClaim());
    expect(await store.claim(barred)).toEqual(aClaim());
    expect(await store.readRecord('g-1')).toEqual(aClaim());
  });

  it('lets one of many claim an id', async () => {
    const store = open();
    const claims = Array.from({ length: 8 }, (_, n) => aClaim({ asked: n + 1 }));
    const standing = await Promise.all(claims.map((claim) => store.claim(claim)));
    expect(new Set(standing.map((record) => JSON.stringify(record))).size).toBe(1);
    expect(await store.readRecord('g-1')).toEqual(standing[0]);
  });

  it('puts what became of a grant in place of its claim, for good', async () => {
    const store = open();
    await store.claim(aClaim());
    await store.archive(ended);
    await store.archive(ended);
    expect(await store.claim(aClaim())).toEqual(ended);
    expect(await store.readRecord('g-1')).toEqual(ended);
  });
}
