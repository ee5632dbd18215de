import { describe, it } from 'vitest';
import { liveThroughFaults } from './random-life.ts';

const seeds = Array.from({ length: 10 }, (_, index) => index * 30);

describe('a site with random faults', () => {
  it.each(seeds)('keeps every promise, and comes to rest when faults stop (30 lives from seed %i)', async (first) => {
    for (let seed = first; seed < first + 30; seed += 1) await liveThroughFaults(seed);
  });
});
