import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loadSiteFile, type LoadedSite } from '../../shared/config/load.ts';
import { generateTrace } from '../../shared/traces/generate.ts';
import { parseJobLine, type TraceJob } from '../../shared/traces/job.ts';
import { nothingBorrowed, ticksToReturnAll } from '../promises/8-it-ends.ts';
import { Lab, start } from '../reconcile/lab.ts';

/** The jobs run under watch until the last one has ended and everything is given back. */
async function liveThrough(site: LoadedSite, jobs: readonly TraceJob[]): Promise<Lab> {
  const lab = new Lab(site);
  await lab.minutes(1);
  await lab.minutes(24 * 60, jobs);
  for (let hours = 0; hours < 48 && lab.world.nextEventAt() !== undefined; hours += 1) await lab.minutes(60);
  await lab.minutes(ticksToReturnAll(site.policy, site.pools));
  nothingBorrowed(await lab.look(), site.policy);
  await lab.replayed();
  expect(lab.alarms).toEqual([]);
  return lab;
}

async function grantsOf({ world, site }: Lab): Promise<number> {
  let grants = 0;
  for (const { resource } of site.policy.resources) {
    for await (const { changes } of world.store.history(resource)) {
      grants += changes.filter(({ kind }) => kind === 'granted').length;
    }
  }
  return grants;
}

describe('a site without faults keeps every promise', () => {
  it('through the example workload', async () => {
    const site = await loadSiteFile('examples/site.yaml');
    const lines = (await readFile('examples/workload.jsonl', 'utf8')).trim().split('\n');
    const jobs = lines.map((line, index) => parseJobLine(line, { line: index + 1 }));
    const first = Math.min(...jobs.map(({ submit }) => submit));
    const shifted = jobs.map((job) => ({ ...job, submit: job.submit - first + start + 60_000 }));
    expect(await grantsOf(await liveThrough(site, shifted))).toBeGreaterThan(0);
  });

  it.each([1, 2, 3])('through a generated day of the larger example (seed %i)', async (seed) => {
    const site = await loadSiteFile('examples/hfss.yaml');
    const resources = Object.fromEntries(
      site.policy.resources.map(({ resource, owned }) => [resource, { busyTokens: owned * 1.5 }]),
    );
    const jobs = generateTrace({ seed, from: start + 60_000, days: 1, resources, jobsPerHour: 4 });
    expect(await grantsOf(await liveThrough(site, jobs))).toBeGreaterThan(0);
  });
});
