import { describe, it } from 'vitest';
import { liveThroughFaults } from './random-life.ts';

const livesEach = 20;
const firstSeeds = Array.from({ length: 10 }, (_, index) => index * livesEach);

describe('a site with random faults', () => {
  it.each(firstSeeds)('keeps every promise and comes to rest when they stop (20 lives from seed %i)', async (first) => {
    for (let seed = first; seed < first + livesEach; seed += 1) await liveThroughFaults(seed);
  });
});
