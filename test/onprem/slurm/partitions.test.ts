import { describe, expect, it } from 'vitest';
import { parseIdleCpus } from '../../../onprem/slurm/partitions.ts';
import { SchedulerError } from '../../../onprem/scheduler.ts';
import { recordedText } from './recorded.ts';

describe('idle CPUs', () => {
  it('are read for every partition', () => {
    const idle = parseIdleCpus(recordedText('22.05.8', 'behind-a-job-that-lacks-nodes.partitions'));
    expect(idle).toEqual(new Map(Object.entries({ main: 191, small: 0, down: 63 })));
  });

  it('add up where sinfo shows a partition in several lines', () => {
    expect(parseIdleCpus('main 1/2/0/3\nmain 0/4/1/5\n')).toEqual(new Map([['main', 6]]));
  });

  it('are not guessed at', () => {
    expect(() => parseIdleCpus('main 1/2/3')).toThrow(SchedulerError);
  });
});
