import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { readFlexnetLog, writeFlexnetLog } from '../../../shared/traces/flexnet.ts';
import type { TraceJob } from '../../../shared/traces/job.ts';
import { anyJobs, demand, linesOf, utc } from '../support.ts';

async function readBack(jobs: readonly TraceJob[]): Promise<TraceJob[]> {
  const log = [...writeFlexnetLog(jobs)].map((line) => line.slice(0, -1));
  return (await readFlexnetLog(linesOf(...log))).jobs;
}

describe('a written FlexNet debug log', () => {
  it('has OUT and IN lines, and a date before the first of a day', () => {
    const job = {
      submit: utc('2017-01-08T23:30:00Z'),
      needs: { hfss_solve: 1, hfsshpc: 32 },
      runSeconds: 3_600,
      user: 'user1@host1',
    };
    expect([...writeFlexnetLog([job])].join('')).toBe(
      [
        '23:30:00 (lmgrd) TIMESTAMP 1/8/2017',
        '23:30:00 (traced) OUT: "hfss_solve" user1@host1',
        '23:30:00 (traced) OUT: "hfsshpc" user1@host1  (32 licenses)',
        ' 0:30:00 (lmgrd) TIMESTAMP 1/9/2017',
        ' 0:30:00 (traced) IN: "hfss_solve" user1@host1',
        ' 0:30:00 (traced) IN: "hfsshpc" user1@host1  (32 licenses)',
        '',
      ].join('\n'),
    );
  });

  it('has a date after a pause, so that a long one does not look like a step back', async () => {
    const job = (time: string) => ({ submit: utc(`2017-01-08T${time}Z`), needs: { a: 1 }, runSeconds: 5, user: 'u@h' });
    const jobs = [job('00:00:10'), job('23:59:50')];
    expect(await readBack(jobs)).toEqual(jobs);
  });

  it('is empty where there are no jobs', () => {
    expect([...writeFlexnetLog([])]).toEqual([]);
  });

  it('reads back as the same demand, whoever the jobs are of', async () => {
    await fc.assert(
      fc.asyncProperty(anyJobs, async (jobs) => {
        expect(demand(await readBack(jobs))).toEqual(demand(jobs));
      }),
      { numRuns: 500 },
    );
  });

  it('reads back as the same jobs where each has its own user@host', async () => {
    await fc.assert(
      fc.asyncProperty(anyJobs, async (jobs) => {
        const own = jobs.map((job, index) => ({ ...job, user: `user${index}@host` }));
        const byUser = (one: TraceJob, other: TraceJob) => ((one.user ?? '') < (other.user ?? '') ? -1 : 1);
        expect((await readBack(own)).sort(byUser)).toEqual(own.sort(byUser));
      }),
    );
  });

  it('keeps a user@host where the jobs of one come one after another', async () => {
    const job = (submitSeconds: number) => ({
      submit: submitSeconds * 1_000,
      needs: { a: 1 },
      runSeconds: 60,
      user: 'user1@host1',
    });
    expect(await readBack([job(0), job(60), job(120)])).toEqual([job(0), job(60), job(120)]);
  });

  it('makes up hosts where one user@host has several jobs at once', async () => {
    const job = { submit: 0, needs: { a: 1 }, runSeconds: 60, user: 'user1@host1' };
    const users = (await readBack([job, job, job])).map(({ user }) => user);
    expect(users).toEqual(['user1@host1', 'user1@host1.2', 'user1@host1.3']);
  });

  it('has whole seconds, rounded down', async () => {
    const job = { submit: 10_900, needs: { a: 1 }, runSeconds: 5.3, user: 'user1@host1' };
    expect(await readBack([job])).toEqual([{ ...job, submit: 10_000, runSeconds: 6 }]);
  });
});
