import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { loadSiteFile } from '../../shared/config/load.ts';
import { orSkipped, realLog, realLogsMissing } from '../traces/support.ts';
import { esr } from './esr.ts';

const tokens = z.int().min(0);
const hours = z.number().min(0);
const run = z.strictObject({
  resources: z.record(
    z.string(),
    z.strictObject({
      owned: tokens,
      peakTotal: tokens,
      peakInUse: tokens,
      jobsWaited: z.int().min(0),
      waitTokenHours: hours,
      grants: z.int().min(0),
      borrowedTokenHours: hours,
      cost: hours,
      totals: z.array(z.tuple([z.iso.datetime(), tokens, tokens, tokens])).min(1),
    }),
  ),
});
const document = z.strictObject({
  site: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  runs: z.strictObject({ elastic: run, ownedOnly: run }),
});

async function simulate(site: string, trace: string): Promise<z.infer<typeof document>> {
  const { stdout, exitCode } = await esr('simulate', site, '--trace', trace, '--json');
  expect(exitCode).toBe(0);
  return document.parse(JSON.parse(stdout));
}

describe('esr simulate --json', () => {
  it('prints both runs of the example in the form that is promised, and nothing else', async () => {
    const { site, runs } = await simulate('examples/site.yaml', 'examples/workload.jsonl');
    expect(site).toBe('austin');
    expect(Object.keys(runs.elastic.resources)).toEqual(['aa_r', 'hfss_solve', 'hfsshpc']);
    expect(Object.keys(runs.ownedOnly.resources)).toEqual(['aa_r', 'hfss_solve', 'hfsshpc']);
    expect(runs.elastic.resources['hfsshpc']?.grants).toBeGreaterThan(0);
  });

  it.skipIf(realLogsMissing)(
    `lets jobs of a recorded history wait less by borrowing, within what is offered${orSkipped}`,
    async () => {
      const { runs } = await simulate('examples/hfss.yaml', realLog('hfss-2017-02-18.log'));
      const { pools } = await loadSiteFile('examples/hfss.yaml');
      const capacities = new Map(
        pools.flatMap(({ offers }) => offers).map((offer) => [offer.resource, offer.capacity]),
      );
      const contended: string[] = [];
      for (const [name, elastic] of Object.entries(runs.elastic.resources)) {
        const ownedOnly = runs.ownedOnly.resources[name];
        if (ownedOnly === undefined) throw new Error(`${name} is missing from the run without borrowing`);
        const most = elastic.owned + (capacities.get(name) ?? 0);
        expect(elastic.peakTotal).toBeLessThanOrEqual(most);
        for (const [, owned, borrowed, total] of elastic.totals) {
          expect(owned + borrowed).toBe(total);
          expect(total).toBeLessThanOrEqual(most);
        }
        if (ownedOnly.waitTokenHours === 0) continue;
        contended.push(name);
        expect(elastic.waitTokenHours).toBeLessThan(ownedOnly.waitTokenHours);
      }
      expect(contended).toEqual(['hfss_solve', 'hfsshpc', 'optimetrics']);
    },
  );
});
