import { drive } from '../shared/simulation/drive.ts';
import { horizon } from '../shared/simulation/simulate.ts';
import { SimulatedSite } from '../shared/simulation/simulated-site.ts';
import { generateTrace } from '../shared/traces/generate.ts';
import type { Benchmark } from './benchmark.ts';
import { seconds, timed } from './figures.ts';
import { generatedSite } from './generated-site.ts';

const resources = ['hfss_solve', 'hfsshpc', 'optimetrics'];
const owned = 32;
const busyTokens = 48;

/** One virtual year of a site whose busy hours need half as much again as it owns. */
export const year: Benchmark = {
  name: 'year',
  async run() {
    const site = await generatedSite({ resources, owned });
    const jobs = generateTrace({
      seed: 1,
      from: Date.UTC(2026, 0, 1),
      days: 365,
      resources: Object.fromEntries(resources.map((name) => [name, { busyTokens }])),
      jobsPerHour: 6,
    });
    const { from, to } = horizon(jobs);
    let passes = 0;
    const world = new SimulatedSite(site, from, {
      keepsPasses: false,
      interception: {
        reconcile: (ports, run) => {
          passes += 1;
          return run(ports);
        },
        push: (ports, run) => run(ports),
      },
    });
    let ticks = 0;
    const milliseconds = await timed(() =>
      drive(world, { jobs, from, to, tickSeconds: 60, onProgress: () => (ticks += 1) }),
    );
    const minutes = (to - from) / 60_000;
    const how = `in-process, ${resources.length} resources and ${jobs.length} generated jobs`;
    return [
      { measure: 'one virtual year', figure: seconds(milliseconds), how },
      {
        measure: 'one virtual year: minutes in which the schedule ran',
        figure: `${ticks} of ${minutes} (${((100 * ticks) / minutes).toFixed(0)} %)`,
        how: 'the others find the site at rest',
      },
      { measure: 'one virtual year: passes', figure: String(passes), how: 'of the schedule and of waiting demand' },
    ];
  },
};
