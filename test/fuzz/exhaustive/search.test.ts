import { describe, expect, it } from 'vitest';
import { explore, type Exploration } from '../../../fuzz/exhaustive/explore.ts';
import type { Bounds } from '../../../fuzz/exhaustive/search.ts';
import type { StartState } from '../../../fuzz/exhaustive/start-states.ts';
import { inWords } from '../../../fuzz/exhaustive/words.ts';
import { smallSite } from '../../reconcile/sites.ts';
import { plainSearch } from './plain-search.ts';

/** One provider, and a job that waits for it. */
const oneGrant: StartState = {
  name: 'one-grant',
  story: 'a job waits for one grant',
  site: smallSite({ returnAfter: '1m' }),
  arrive: (site) => site.submit({ hfsshpc: 10 }, 1),
};

/** The same with a ledger that takes a write whatever was there before. */
const lostUpdates: StartState = {
  ...oneGrant,
  arrive: async (site) => {
    const { store } = site.simulated;
    const write = store.write.bind(store);
    store.write = async (_previous, next) => {
      const { ledgers } = await store.read();
      return write(
        ledgers.find(({ resource }) => resource === next.resource),
        next,
      );
    };
    await oneGrant.arrive(site);
  },
};

async function search(start: StartState, bounds: Bounds): Promise<Exploration> {
  for await (const found of explore(start, [bounds])) return found;
  throw new Error('nothing was searched');
}

describe('the search', () => {
  it.each<Bounds>([
    { preemptions: 0, faults: 0 },
    { preemptions: 1, faults: 0 },
    { preemptions: 0, faults: 1 },
  ])(
    'makes the very runs that are there, and finds all that they end in, with $preemptions preemptions and $faults faults',
    async (bounds) => {
      const { runs, ends } = await search(oneGrant, bounds);
      expect({ runs, ends }).toEqual(await plainSearch(oneGrant, bounds));
    },
  );

  it('finds what one preemption breaks where writes have no condition, and tells the run', async () => {
    expect((await search(lostUpdates, { preemptions: 0, faults: 0 })).broken).toEqual([]);
    const { broken } = await search(lostUpdates, { preemptions: 1, faults: 0 });
    expect(broken.length).toBeGreaterThan(0);
    expect(broken.map(inWords).join('\n')).toMatch(/promise \d.*is broken[^]*A writes hfsshpc[^]*B writes hfsshpc/);
  });
});
