import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openTrace } from '../../../../shared/traces/open.ts';
import { selectResources } from '../../../../shared/traces/select.ts';
import { orSlurmSkipped, slurmIsInstalled } from '../../../slurm-lab/installed.ts';
import { orSkipped, realLog, realLogsMissing } from '../../../traces/support.ts';
import { atRest } from './at-rest.ts';
import { eventually } from './eventually.ts';
import { holdPromises, recordsOf } from './promises.ts';
import { licence, owned, startSlurmSite } from './site.ts';
import { Witness } from './witness.ts';

/** The busiest stretch of the log: jobs of 8 tokens at most, 42 in use on average, in less than three hours. */
const firstJob = 1660;
const jobs = 80;
const speed = 120;

describe.skipIf(!slurmIsInstalled || realLogsMissing)(`a real workload${orSkipped}${orSlurmSkipped}`, () => {
  it(
    'runs on a real Slurm, and every promise holds by the records of its parts',
    { timeout: 900_000 },
    async (context) => {
      const trace = await openTrace(realLog('hfss-2017-02-18.log'));
      const stretch = selectResources(trace.jobs, new Set(['hfsshpc'])).jobs.slice(firstJob, firstJob + jobs);
      const site = await startSlurmSite('count', context);
      await atRest(site);
      const witness = new Witness(site);

      const begin = Date.now();
      const submitted = await Promise.all(
        stretch.map(async ({ submit, needs: { hfsshpc = 0 }, runSeconds }) => {
          await sleep((submit - (stretch[0]?.submit ?? 0)) / speed - (Date.now() - begin));
          const id = await site.submit(hfsshpc, Math.ceil(runSeconds / speed));
          return [id, hfsshpc] as const;
        }),
      );
      await eventually('all jobs have ended', async () => (await site.lab.slurm.queue()).length === 0, 400);
      await atRest(site);
      const ended = async (): Promise<boolean> =>
        (await site.lab.slurm.records()).filter(({ state }) => state === 'COMPLETED').length === jobs;
      await eventually('accounting knows the end of every job', ended);

      const records = await recordsOf(site, await witness.end());
      holdPromises(records);
      expect(new Map(records.jobs.map(({ id, licences }) => [id, licences[licence]]))).toEqual(new Map(submitted));
      const most = Math.max(...records.testimony.counted.map(({ value }) => value.used));
      expect(most).toBeGreaterThan(owned);
      console.log(
        `${jobs} jobs in ${Math.round((Date.now() - begin) / 1000)} s, at most ${most} tokens in use; totals accepted: ` +
          `${records.accepted.map(({ total }) => total).join(' ')}; ${records.testimony.counted.length} readings of Slurm`,
      );
    },
  );
});
