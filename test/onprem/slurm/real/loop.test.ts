import { describe, expect, it } from 'vitest';
import { orSlurmSkipped, slurmIsInstalled } from '../../../slurm-lab/installed.ts';
import { atRest } from './at-rest.ts';
import { eventually } from './eventually.ts';
import { holdPromises, recordsOf } from './promises.ts';
import { owned, startSlurmSite } from './site.ts';
import { Witness } from './witness.ts';

const jobs = 3;
const tokensEach = 8;
/** In the pool's blocks of 4. */
const borrowed = 16;

describe.skipIf(!slurmIsInstalled)(`a site on a real Slurm${orSlurmSkipped}`, () => {
  it.concurrent.for(['count', 'hold'] as const)(
    'borrows for jobs that wait, runs them, and gives back what is idle, its total set as a %s',
    { timeout: 600_000 },
    async (totals, context) => {
      const site = await startSlurmSite(totals, context);
      await atRest(site);
      const witness = new Witness(site);

      for (let job = 0; job < jobs; job += 1) await site.submit(tokensEach, 20);
      await eventually('the total is raised', async () => (await site.counted()).total === owned + borrowed);
      await eventually('all jobs run', async () => (await site.counted()).used === jobs * tokensEach);
      await eventually('all jobs have ended', async () => (await site.lab.slurm.queue()).length === 0);
      await atRest(site);

      const records = await recordsOf(site, await witness.end());
      holdPromises(records);
      expect(records.accepted.map(({ total }) => total)).toEqual([owned + borrowed, owned + borrowed, owned]);
      expect(Math.max(...records.testimony.counted.map(({ value }) => value.used))).toBe(jobs * tokensEach);
    },
  );
});
