import { decide as decideOn } from '../shared/domain/decide.ts';
import { atMost, type Benchmark, type Row } from './benchmark.ts';
import { growth, linearGrowth, median, millis, timedRuns, times } from './figures.ts';
import { largeSite } from './large-site.ts';

const runs = 15;
/** Until it is compiled for good. */
const warmUps = 20;

/** One decision over a site far larger than any that is known. */
export const decide: Benchmark = {
  name: 'decide',
  async run() {
    await cost(2_000, 10_000, warmUps);
    const ofResources = [await cost(500, 10_000), await cost(1_000, 10_000), await cost(2_000, 10_000)];
    const ofClasses = [await cost(2_000, 2_500), await cost(2_000, 5_000), ofResources[2] ?? NaN];
    return [
      {
        measure: 'decide, 2,000 resources and 10,000 waiting classes',
        ...atMost(ofResources[2] ?? NaN, 100, millis),
        how: `median of ${runs}`,
      },
      growthRow('twice the resources (500, 1,000, 2,000)', ofResources),
      growthRow('twice the classes (2,500, 5,000, 10,000)', ofClasses),
    ];
  },
};

async function cost(resources: number, classes: number, count = runs): Promise<number> {
  const { situation, policy } = largeSite(resources, classes);
  // What is derived from an observation once must be derived each time here.
  const once = () => decideOn({ ...situation, observation: { ...situation.observation } }, policy);
  return median(await timedRuns(count, once));
}

function growthRow(what: string, costs: readonly number[]): Row {
  const factors = growth(costs);
  return {
    measure: `decide, ${what}`,
    ...atMost(Math.max(...factors), linearGrowth, times),
    figure: factors.map(times).join(', '),
    how: `growth of the median from ${costs.map(millis).join(', ')}`,
  };
}
