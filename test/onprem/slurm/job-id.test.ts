import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJobId } from '../../../onprem/slurm/job-id.ts';

describe("a job's id", () => {
  it.each([
    ['12', { number: 12, part: 'job', jobs: 1 }],
    ['12+1', { number: 12, part: 'component', jobs: 1 }],
    ['12_3', { number: 12, part: 'tasks', jobs: 1 }],
    ['12_[3]', { number: 12, part: 'tasks', jobs: 1 }],
    ['12_[0-9]', { number: 12, part: 'tasks', jobs: 10 }],
    ['12_[1,3,5-7]', { number: 12, part: 'tasks', jobs: 5 }],
    ['12_[0-9:4]', { number: 12, part: 'tasks', jobs: 3 }],
    ['12_[2-9%3]', { number: 12, part: 'tasks', jobs: 8, mostAtOnce: 3 }],
  ])('%s says what its line stands for', (text, id) => {
    expect(parseJobId(text)).toEqual(id);
  });

  it.each(['', 'x', '12_', '12_N/A', '12_[1,3,...]', '12_[9-0]', '12_[0-9:0]', '12+x', '12_[%3]'])(
    'is not guessed at: %j',
    (text) => {
      expect(parseJobId(text)).toBeUndefined();
    },
  );

  it('counts every task of an array once', () => {
    const ranges = fc.array(fc.tuple(fc.nat(50), fc.nat(50), fc.integer({ min: 1, max: 9 })), { minLength: 1 });
    fc.assert(
      fc.property(ranges, (list) => {
        let last = -1;
        const tasks: number[] = [];
        const texts = list.map(([gap, length, step]) => {
          const first = last + 1 + gap;
          last = first + length;
          for (let task = first; task <= last; task += step) tasks.push(task);
          return length === 0 ? `${first}` : `${first}-${last}${step === 1 ? '' : `:${step}`}`;
        });
        expect(parseJobId(`7_[${texts.join(',')}]`)?.jobs).toBe(tasks.length);
      }),
    );
  });
});
