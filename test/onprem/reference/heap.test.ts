import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap } from '../../../onprem/reference/heap.ts';

const byRank = (a: { rank: number }, b: { rank: number }): boolean => a.rank < b.rank;

describe('a heap', () => {
  it('gives its items in order, however pushes and pops are mixed', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 20 }))), (steps) => {
        const heap = new Heap(byRank);
        const model: number[] = [];
        for (const rank of steps) {
          if (rank === null) {
            model.shift();
            heap.pop();
          } else {
            model.push(rank);
            heap.push({ rank });
          }
          model.sort((a, b) => a - b);
          expect([heap.size, heap.peek()?.rank]).toEqual([model.length, model[0]]);
        }
      }),
    );
  });

  it('begins with the items that it is given', () => {
    const heap = new Heap(byRank, [{ rank: 3 }, { rank: 1 }, { rank: 2 }]);

    expect([heap.pop(), heap.pop(), heap.pop(), heap.pop()]).toEqual([
      { rank: 1 },
      { rank: 2 },
      { rank: 3 },
      undefined,
    ]);
  });
});
