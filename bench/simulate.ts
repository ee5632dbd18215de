import { loadSiteFile } from '../shared/config/load.ts';
import { horizon, simulate as simulateJobs } from '../shared/simulation/simulate.ts';
import type { TraceJob } from '../shared/traces/job.ts';
import { openTrace } from '../shared/traces/open.ts';
import { selectResources } from '../shared/traces/select.ts';
import { atMost, type Benchmark } from './benchmark.ts';
import { growth, linearGrowth, median, seconds, timed, timedRuns, times } from './figures.ts';
import { command, exampleSite, log, whereThereAre } from './places.ts';
import { runNode } from './process.ts';

const runs = 5;

/** A real history of 110 days through the example site, with borrowing and with owned tokens alone. */
export const simulate: Benchmark = {
  name: 'simulate',
  async run() {
    const measure = 'esr simulate, 110 days of a real log';
    const whole = await whereThereAre([log, command], measure, async () => {
      const all = await timedRuns(runs, () => runNode([command, 'simulate', exampleSite, '--trace', log]));
      const how = `whole process, median of ${runs} (fastest ${seconds(Math.min(...all))})`;
      return [{ measure, ...atMost(median(all), 3_000, seconds), how }];
    });
    const longer = 'simulate, twice as long a log (1, 2, 4 times)';
    const grown = await whereThereAre([log], longer, async () => {
      const costs = await costsOfLongerLogs([1, 2, 4]);
      const factors = growth(costs);
      return [
        {
          measure: longer,
          ...atMost(Math.max(...factors), linearGrowth, times),
          figure: factors.map(times).join(', '),
          how: `in-process, growth of the time from ${costs.map(seconds).join(', ')}`,
        },
      ];
    });
    return [...whole, ...grown];
  },
};

async function costsOfLongerLogs(lengths: readonly number[]): Promise<number[]> {
  const site = await loadSiteFile(exampleSite);
  const trace = await openTrace(log);
  const { jobs } = selectResources(trace.jobs, new Set(site.controllerConfig.resources.map(({ name }) => name)));
  const cost = (length: number): Promise<number> => timed(() => simulateJobs({ site, jobs: repeated(jobs, length) }));
  // The first run also pays for the compilation.
  await cost(1);
  const costs: number[] = [];
  for (const length of lengths) costs.push(await cost(length));
  return costs;
}

/** The jobs again and again, each time after the end of the time before. */
function repeated(jobs: readonly TraceJob[], length: number): TraceJob[] {
  const { from, to } = horizon(jobs);
  return Array.from({ length }, (_, time) =>
    jobs.map((job) => ({ ...job, submit: job.submit + time * (to - from) })),
  ).flat();
}
