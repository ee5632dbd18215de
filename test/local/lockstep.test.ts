import { describe, expect, it, onTestFinished } from 'vitest';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { loadSiteFile, type LoadedSite } from '../../shared/config/load.ts';
import { startLockstep } from '../../shared/local/lockstep.ts';
import { siteTotals } from '../../shared/local/site-totals.ts';
import type { HistoryStore } from '../../shared/ports.ts';
import { drive, type World } from '../../shared/simulation/drive.ts';
import { SimulatedSite } from '../../shared/simulation/simulated-site.ts';
import { totalsCsv } from '../../shared/status/totals.ts';
import { generateTrace } from '../../shared/traces/generate.ts';
import type { TraceJob } from '../../shared/traces/job.ts';
import { minute, newFolder, start } from './made-site.ts';

const hours = 3;
const end = start + hours * 60 * minute;

describe.each([1, 2, 3])('on a generated workload with seed %i', (seed) => {
  it('the live site has the totals of the simulated one, byte for byte', async () => {
    const site = await loadSiteFile('examples/site.yaml');
    const jobs = crowded(seed);
    const simulated = new SimulatedSite(site, start);
    const lockstep = await startLockstep({
      site,
      directory: await newFolder(),
      start,
      log: new JsonLog(() => {}),
    });
    onTestFinished(() => lockstep.close());
    const expected = await totalsOf(simulated, simulated.store, site, jobs);
    const found = await totalsOf(lockstep, lockstep.site.ledger, site, jobs);
    expect(found).toBe(expected);
    // It would not say much if little had happened.
    expect(expected.split('\n').length).toBeGreaterThan(20);
    expect(expected).toMatch(/\.\d*[1-9]\d*Z/);
  });
});

/** Jobs that come in bursts within a second, so that demand calls are joined and lead to passes between the ticks. */
function crowded(seed: number): TraceJob[] {
  const generated = generateTrace({
    seed,
    from: Date.parse('2026-01-05T00:00:00Z'),
    days: 1,
    resources: { hfsshpc: { busyTokens: 40 }, hfss_solve: { busyTokens: 6 } },
    jobsPerHour: 5,
  });
  return generated
    .filter(({ submit }) => submit >= start && submit < end)
    .flatMap((job) =>
      [0, 130, 380, 1_350].map((later) => ({ ...job, submit: job.submit + later, runSeconds: job.runSeconds / 4 })),
    )
    .sort((one, other) => one.submit - other.submit);
}

async function totalsOf(
  world: World,
  store: HistoryStore,
  site: LoadedSite,
  jobs: readonly TraceJob[],
): Promise<string> {
  await drive(world, { jobs, from: start, to: end, tickSeconds: 60 });
  return totalsCsv(await siteTotals(site, store));
}
