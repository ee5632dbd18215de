import { setTimeout as sleep } from 'node:timers/promises';
import type { SlurmLab } from '../test/slurm-lab/lab.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { percentile, seconds } from './figures.ts';
import { resourceNames } from './generated-site.ts';
import { jobIs, lookEveryMilliseconds, Sightings, tokensAre } from './sightings.ts';
import { licenceOf, whereSlurmIs } from './slurm-lab.ts';
import { withSlurmSite, type SlurmSiteOptions } from './slurm-site.ts';

/** Each for tokens of its own, so that none must be given back in between. */
const waits = 15;
const resources = resourceNames(waits);
const waitEveryMilliseconds = 16_000;
const owned = 1;
const neededTokens = 4;
/** Until the end of the benchmark. */
const runSeconds = 3_600;

const sites: readonly (Pick<SlurmSiteOptions, 'totals' | 'tellsSite'> & { readonly name: string })[] = [
  { name: 'count, the gateway tells the site', totals: 'count', tellsSite: true },
  { name: 'hold, the gateway tells the site', totals: 'hold', tellsSite: true },
  { name: 'count, the site looks every 60 s', totals: 'count', tellsSite: false },
];

/** From a job that begins to wait for borrowed tokens until it runs, on a real Slurm; the sites run at the same time. */
export const slurm: Benchmark = {
  name: 'slurm',
  run: () =>
    whereSlurmIs('Slurm', async () => {
      const rows = await Promise.all(
        sites.map(async ({ name, totals, tellsSite }) =>
          rowsOf(name, await withSlurmSite({ resources, owned, totals, tellsSite }, waitAgainAndAgain)),
        ),
      );
      return rows.flat();
    }),
};

/** In milliseconds since Slurm first showed that the job waits. */
interface Wait {
  readonly usable: number;
  readonly runs: number;
}

function rowsOf(site: string, all: readonly Wait[]): Row[] {
  const how = `${waits} jobs, each of another licence; by squeue and scontrol every ${lookEveryMilliseconds} ms`;
  const row = (what: string, of: readonly number[]): Row => ({
    measure: `Slurm, ${site}: ${what}`,
    figure: `p50 ${seconds(percentile(of, 50))}, p99 ${seconds(percentile(of, 99))}`,
    how,
  });
  return [
    row(
      'job waits to tokens usable',
      all.map(({ usable }) => usable),
    ),
    row(
      'job waits to job runs',
      all.map(({ runs }) => runs),
    ),
  ];
}

/** At random moments, so that none keeps step with whoever looks every minute. */
function waitAgainAndAgain(lab: SlurmLab): Promise<Wait[]> {
  const sightings = new Sightings(lab);
  const wait = async (licence: string, index: number): Promise<Wait> => {
    await sleep((index + Math.random()) * waitEveryMilliseconds);
    const job = await lab.slurm.submit({ licences: `${licence}:${neededTokens}`, runSeconds });
    const [waiting, usable, running] = await Promise.all([
      sightings.first(jobIs('PENDING', job)),
      sightings.first(tokensAre(neededTokens, licence)),
      sightings.first(jobIs('RUNNING', job)),
    ]);
    return { usable: usable - waiting, runs: running - waiting };
  };
  return Promise.all(resources.map(licenceOf).map(wait));
}
