import { describe, expect, it, onTestFinished } from 'vitest';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { assembleSite, loadSiteFile } from '../../shared/config/load.ts';
import type { Delivery } from '../../shared/config/schema.ts';
import { startLockstep } from '../../shared/local/lockstep.ts';
import { siteTotals } from '../../shared/local/site-totals.ts';
import type { LedgerStore } from '../../shared/ports.ts';
import { drive } from '../../shared/simulation/drive.ts';
import { SimulatedSite } from '../../shared/simulation/simulated-site.ts';
import { totalsCsv } from '../../shared/status/totals.ts';
import { generateTrace } from '../../shared/traces/generate.ts';
import type { TraceJob } from '../../shared/traces/job.ts';
import { minute, newFolder, start } from './made-site.ts';

const hours = 3;
const end = start + hours * 60 * minute;
const stretch = { from: start, to: end, tickSeconds: 60 };

describe.each<[number, Delivery, number]>([
  [1, 'push', end],
  [2, 'push', end],
  [3, 'push', end],
  [4, 'pull', start + 90 * minute],
])('on a generated workload with seed %i and delivery by %s', (seed, delivery, to) => {
  it('the live site has the totals of the simulated one, byte for byte', async () => {
    const { site, simulated, lockstep } = await twoWorlds(delivery);
    const part = { jobs: crowded(seed), ...stretch, to };
    await drive(simulated, part);
    await drive(lockstep, part);
    const expected = totalsCsv(await siteTotals(site, simulated.store));
    expect(totalsCsv(await siteTotals(site, lockstep.site.ledger))).toBe(expected);
    // It would not say much if little had happened.
    expect(expected.split('\n').length).toBeGreaterThan(20);
    expect(expected).toMatch(/\.\d*[1-9]\d*Z/);
  });
});

describe('a tick that finds the site at rest', () => {
  it('changes nothing at the live site either', async () => {
    const { site, simulated, lockstep } = await twoWorlds();
    const part = { jobs: crowded(2), ...stretch, to: start + 90 * minute };
    let [shortened, whole] = [0, 0];
    await drive(simulated, { ...part, onProgress: () => (shortened += 1) });
    await drive(lockstep, { ...part, everyTick: true, onProgress: () => (whole += 1) });
    expect(whole - shortened).toBeGreaterThan(50);
    const versions = async (store: LedgerStore) => (await store.read()).ledgers.map(({ version }) => version);
    expect(await versions(lockstep.site.ledger)).toEqual(await versions(simulated.store));
    expect(totalsCsv(await siteTotals(site, lockstep.site.ledger))).toBe(
      totalsCsv(await siteTotals(site, simulated.store)),
    );
  });
});

/** The simulated and the live world of the example site, in which nothing has happened yet. */
async function twoWorlds(delivery: Delivery = 'push') {
  const { written } = await loadSiteFile('examples/site.yaml');
  const site = assembleSite({ ...Object(written), controller: { delivery } });
  const directory = await newFolder();
  const lockstep = await startLockstep({ site, directory, start, log: new JsonLog(() => {}) });
  onTestFinished(() => lockstep.close());
  return { site, simulated: new SimulatedSite(site, start), lockstep };
}

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
