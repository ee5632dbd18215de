import { describe, expect, it } from 'vitest';
import { parseQueue } from '../../../onprem/slurm/squeue.ts';
import { recordedText, situation } from './recorded.ts';

const good = '7\tPENDING\tLicenses\t5\t1796134304\t4\tsmall,main\tvcs@flex1:3\t';

describe('the queue', () => {
  it('is read with all that is needed of each job', () => {
    expect(parseQueue(`${good}\n`)).toEqual({
      jobs: [
        {
          id: { number: 7, part: 'job', jobs: 1 },
          state: 'PENDING',
          reason: 'Licenses',
          priority: 5,
          eligibleAt: 1_796_134_304_000,
          cpus: 4,
          partitions: ['small', 'main'],
          licences: [new Map([['vcs@flex1', 3]])],
        },
      ],
      unreadable: [],
    });
  });

  it.each([
    'array-limit',
    'bf-licenses',
    'full-partition',
    'held-deferred-dependent',
    'heterogeneous',
    'licence-lists',
    'suspended-completing',
  ])('of Slurm 22.05.8 is read whole: %s', (name) => {
    const { jobs, unreadable } = situation(name);
    expect(unreadable).toEqual([]);
    expect(jobs).toHaveLength(recordedText('22.05.8', `${name}.queue`).trimEnd().split('\n').length);
  });

  it('keeps a sentence that Slurm shows in place of a reason', () => {
    const { jobs } = situation('full-partition');
    expect(jobs.map(({ reason }) => reason)).toContain(
      'Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions',
    );
  });

  it('has no time of eligibility for a job that is held from the start, or that depends on another', () => {
    const eligible = situation('held-deferred-dependent').jobs.map(({ id, eligibleAt }) => [id.number, eligibleAt]);
    expect(Object.fromEntries(eligible)).toMatchObject({
      10046: undefined,
      10049: undefined,
      10048: 1_796_134_748_000,
    });
  });

  it.each([
    ['cut short', good.slice(0, -4)],
    ['with a field too many', `${good}x\t`],
    ['with a task list that squeue cut', good.replace('7\t', '7_[1,3,...]\t')],
    ['with licences in a form that is not known', good.replace(':3', ':three')],
    ['with a priority that is no number', good.replace('\t5\t', '\thigh\t')],
    ['with a time that is no number', good.replace('1796134304', '2026-12-01T14:00:00')],
    ['of an error', 'slurm_load_jobs error: Unable to contact slurm controller'],
  ])('reports a line %s, and reads the others', (_what, line) => {
    const { jobs, unreadable } = parseQueue([good, line, good].join('\n'));
    expect(unreadable).toEqual([line]);
    expect(jobs).toHaveLength(2);
  });
});
