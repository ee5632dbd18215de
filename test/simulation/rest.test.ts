import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSiteFile, type LoadedSite } from '../../shared/config/load.ts';
import type { HistoryEntry } from '../../shared/domain/model.ts';
import type { PoolOffer } from '../../shared/pool/offer.ts';
import { drive } from '../../shared/simulation/drive.ts';
import { horizon } from '../../shared/simulation/simulate.ts';
import { SimulatedSite } from '../../shared/simulation/simulated-site.ts';
import { generateTrace } from '../../shared/traces/generate.ts';
import type { TraceJob } from '../../shared/traces/job.ts';

const example = await loadSiteFile('examples/hfss.yaml');

interface Terms {
  readonly offer: Partial<PoolOffer> & { readonly scarce?: Partial<PoolOffer> };
  readonly headroom: number;
}

const name = 'hfss_solve';

/** The example site with one elastic resource, under other terms. */
function siteWith({ offer: { scarce, ...terms }, headroom }: Terms): LoadedSite {
  const resources = example.policy.resources
    .filter(({ resource }) => resource === name)
    .map((policy) => ({ ...policy, headroom }));
  const pools = example.pools.map((pool) => ({
    ...pool,
    offers: pool.offers.map((one) => ({ ...one, ...terms, ...scarce })),
  }));
  return { ...example, policy: { ...example.policy, resources }, pools };
}

/** All that is ever written to the ledgers, and the minutes in which the schedule ran. */
async function life(site: LoadedSite, jobs: readonly TraceJob[], everyTick: boolean) {
  const { from, to } = horizon(jobs);
  const world = new SimulatedSite(site, from);
  let ticks = 0;
  await drive(world, { jobs, from, to, tickSeconds: 60, everyTick, onProgress: () => (ticks += 1) });
  const entries: HistoryEntry[] = [];
  for await (const entry of world.store.history(name)) entries.push(entry);
  return { ticks, entries };
}

const anyTerms = fc.record({
  offer: fc.record(
    {
      block: fc.constantFrom(1, 4),
      partialReturns: fc.boolean(),
      leaseSeconds: fc.constantFrom(1_800, 7_200),
      minimumHoldSeconds: fc.constantFrom(0, 600, 7_200),
      // Fewer than the pool promises, so that it refuses.
      scarce: fc.constant({ capacity: 4 }),
    },
    { requiredKeys: [] },
  ),
  headroom: fc.constantFrom(0, 2),
});

describe('A minute at rest', () => {
  it('is left out of a run without changing anything that is ever written', async () => {
    // Jobs of few tokens, so that often no more than one is to spare.
    const resources = { [name]: { busyTokens: 14 } };
    await fc.assert(
      fc.asyncProperty(anyTerms, fc.integer({ min: 1, max: 1_000 }), async (chosen, seed) => {
        const jobs = generateTrace({ seed, from: Date.UTC(2026, 0, 5), days: 2, resources, jobsPerHour: 4 });
        const site = siteWith(chosen);
        const [whole, shortened] = [await life(site, jobs, true), await life(site, jobs, false)];
        expect(shortened.entries).toEqual(whole.entries);
        expect(shortened.ticks).toBeLessThan(whole.ticks);
      }),
      { numRuns: 10 },
    );
  });
});
