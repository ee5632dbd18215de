import { describe, expect, it } from 'vitest';
import { readFlexnetLog, writeFlexnetLog } from '../../shared/traces/flexnet.ts';
import type { TraceJob } from '../../shared/traces/job.ts';
import { openTrace } from '../../shared/traces/open.ts';
import { featureStatistics } from '../../shared/traces/statistics.ts';
import { demand, linesOf, orSkipped, realLog, realLogsMissing, utc } from './support.ts';

describe('a FlexNet debug log', () => {
  it('becomes jobs and a report of what did not', async () => {
    const { jobs, report } = await readFlexnetLog(
      linesOf(
        '10:03:36 (lmgrd) TIMESTAMP 2/18/2017',
        ' ansyslmd  ansoftd  ',
        '10:10:00 (ansyslmd) IN: "aa_r" user001@host001  ',
        '13:20:38 (ansyslmd) OUT: "aa_r" user001@host001  ',
        '13:20:38 (ansyslmd) OUT: "aa_r_hpc" user001@host001  (32 licenses) ',
        '13:20:40 (ansyslmd) DENIED: "aa_r" user002@host001  (Licensed number of users already reached. (-4,342))',
        '13:20:53 (ansyslmd) IN: "aa_r_hpc" user001@host001  (32 licenses) ',
        '13:20:53 (ansyslmd) IN: "aa_r" user001@host001  ',
        '14:00:00 (ansyslmd) OUT: "aa_r" user003@host001  ',
        '15:00:00 (lmgrd) TIMESTAMP 2/18/2017',
      ),
    );
    expect(jobs).toEqual([
      {
        submit: utc('2017-02-18T13:20:38Z'),
        needs: { aa_r: 1, aa_r_hpc: 32 },
        runSeconds: 15,
        user: 'user001@host001',
      },
      { submit: utc('2017-02-18T14:00:00Z'), needs: { aa_r: 1 }, runSeconds: 3_600, user: 'user003@host001' },
    ]);
    expect(report).toEqual({
      lines: 10,
      linesNotUnderstood: 1,
      checkouts: 3,
      checkins: 3,
      denied: 1,
      outWithoutIn: 1,
      inWithoutOut: 1,
      dated: true,
    });
  });
});

function tokenHours(jobs: readonly TraceJob[], feature: string): number {
  return jobs.reduce((sum, { needs, runSeconds }) => sum + ((needs[feature] ?? 0) * runSeconds) / 3_600, 0);
}

describe.skipIf(realLogsMissing)(`jobs of a real log${orSkipped}`, () => {
  it.each([
    ['hfss-2017-01-08.log', { checkouts: 598, checkins: 598, outWithoutIn: 0, inWithoutOut: 0, linesNotUnderstood: 1 }],
    [
      'hfss-2017-02-18.log',
      { checkouts: 9_038, checkins: 9_013, outWithoutIn: 25, inWithoutOut: 0, linesNotUnderstood: 1 },
    ],
  ])('account for every event of %s', async (name, counts) => {
    expect((await openTrace(realLog(name))).report).toMatchObject(counts);
  });

  it('have the token-hours of the checkouts to within a thousandth, where all came back', async () => {
    const { jobs, events = [] } = await openTrace(realLog('hfss-2017-01-08.log'));
    for (const { feature, tokenHours: counted } of featureStatistics(events)) {
      expect({ feature, ratio: tokenHours(jobs, feature) / counted }).toEqual({ feature, ratio: expect.closeTo(1, 3) });
    }
  });

  it('read back the same once they were written as a log', async () => {
    const { jobs } = await openTrace(realLog('hfss-2017-02-18.log'));
    const written = [...writeFlexnetLog(jobs)].map((line) => line.slice(0, -1));
    const { jobs: back } = await readFlexnetLog(linesOf(...written));
    expect(demand(back)).toEqual(demand(jobs));
  });

  it('mostly need both features of a solver that takes two', async () => {
    const { jobs } = await openTrace(realLog('hfss-2017-02-18.log'));
    const solving = jobs.filter(({ needs }) => needs.hfss_solve !== undefined);
    const both = solving.filter(({ needs }) => needs.hfsshpc !== undefined);
    expect(both.length / solving.length).toBeGreaterThan(0.9);
  });
});
