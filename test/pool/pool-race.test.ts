import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryPoolStore } from '../../shared/pool/memory-store.ts';
import { Pool } from '../../shared/pool/pool.ts';
import { lentTokens, recentSeconds, type Shelf } from '../../shared/pool/shelf.ts';
import type { PoolStore } from '../../shared/pool/store.ts';
import { anOffer, HandClock, resource } from './support.ts';

/** Enough for one of two grants. */
const tokens = 8;
const offers = [anOffer({ capacity: tokens, block: tokens })];
const site = 'munich';

class Died extends Error {}

/** What happens to a call of the store: it goes well, or its caller dies before or after it is done. */
type Fate = 'well' | 'died before' | 'died after';

/** The store as one process sees it: every call takes a time that the scheduler chooses. */
function slowStore(store: PoolStore, scheduler: fc.Scheduler, fates: Iterator<Fate>): PoolStore {
  const slowly = async <T>(label: string, call: () => Promise<T>): Promise<T> => {
    const fate: Fate = fates.next().value ?? 'well';
    await scheduler.schedule(Promise.resolve(), label);
    if (fate === 'died before') throw new Died();
    const answer = await call();
    if (fate === 'died after') throw new Died();
    return answer;
  };
  return {
    readShelf: (name) => slowly('read shelf', () => store.readShelf(name)),
    readShelves: () => slowly('read shelves', () => store.readShelves()),
    writeShelf: (next) => slowly('write shelf', () => store.writeShelf(next)),
    readRecord: (id) => slowly('read record', () => store.readRecord(id)),
    claim: (record) => slowly('claim', () => store.claim(record)),
    archive: (grant) => slowly('archive', () => store.archive(grant)),
  };
}

/** Sees every shelf that is ever written. */
class WatchedStore extends MemoryPoolStore {
  override async writeShelf(next: Shelf) {
    if (lentTokens(next.open) > tokens) throw new Error(`lent ${lentTokens(next.open)} of ${tokens}`);
    if (new Set(next.open.map(({ id }) => id)).size < next.open.length) throw new Error('two grants under one id');
    return super.writeShelf(next);
  }
}

/** `life`: asked for, given back, and grown so old that the shelf need not remember it. */
interface Call {
  readonly copy: number;
  readonly id: string;
  readonly kind: 'ask' | 'back' | 'life';
}

const calls = fc.array(
  fc.record({
    copy: fc.nat(2),
    id: fc.constantFrom('g-1', 'g-2'),
    kind: fc.constantFrom<Call['kind']>('ask', 'back', 'life'),
  }),
  { minLength: 2, maxLength: 6 },
);

/** Runs all calls at once on three copies of a pool, where each may be overtaken at every step. */
async function race(scheduler: fc.Scheduler, all: readonly Call[], fates: readonly Fate[]) {
  const store = new WatchedStore();
  const clock = new HandClock();
  const fate = fates.values();
  const open = (own: PoolStore): Pool => new Pool({ name: 'burst', offers, store: own, clock });
  const copies = [0, 1, 2].map(() => open(slowStore(store, scheduler, fate)));
  const granted = new Set<string>();
  const over = new Set<string>();

  const ask = async (pool: Pool, id: string): Promise<void> => {
    const { state } = await pool.request(site, id, { resource, tokens });
    (state === 'granted' ? granted : over).add(id);
  };
  const giveBack = async (pool: Pool, id: string): Promise<void> => {
    expect(await pool.giveBack(site, id, { returnId: `${id}.r`, tokens })).toBe(0);
    over.add(id);
  };
  const age = async (pool: Pool): Promise<void> => {
    clock.pass(recentSeconds + 1);
    await pool.request(site, `refused-${clock.now()}`, { resource, tokens: 1 });
  };
  const run = async ({ copy, id, kind }: Call): Promise<void> => {
    const pool = copies[copy] ?? open(store);
    try {
      if (kind !== 'back') await ask(pool, id);
      if (kind !== 'ask') await giveBack(pool, id);
      if (kind === 'life') await age(pool);
    } catch (error) {
      if (!(error instanceof Died)) throw error;
    }
  };
  await scheduler.waitFor(Promise.all(all.map(run)));

  const survivor = open(store);
  await age(survivor);
  const stateNow = async (id: string): Promise<string> =>
    (await survivor.request(site, id, { resource, tokens })).state;
  // Whoever was told that nothing is lent under an id, or no more, may rely on it for ever.
  for (const id of over) expect(await stateNow(id)).not.toBe('granted');
  // Whoever was told of a grant had it: it is lent still, or it was given back.
  for (const id of granted) expect(await stateNow(id)).not.toBe('refused');
}

describe('copies of a pool that overtake each other at every step', () => {
  it('agree on what became of each id, and never lend more than there is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), calls, async (scheduler, all) => race(scheduler, all, [])),
      { numRuns: 1_000 },
    );
  });

  it('agree also when some of them die on the way', async () => {
    const fate = fc.constantFrom<Fate>('well', 'well', 'well', 'died before', 'died after');
    await fc.assert(fc.asyncProperty(fc.scheduler(), calls, fc.array(fate, { maxLength: 40 }), race), {
      numRuns: 1_000,
    });
  });
});
