import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { eventsOf, type LicenceEvent } from '../../shared/traces/licence-event.ts';
import { openTrace } from '../../shared/traces/open.ts';
import { featureStatistics } from '../../shared/traces/statistics.ts';
import { anyJobs, orSkipped, realLog, realLogsMissing } from './support.ts';

const event = (hour: number, kind: 'out' | 'in' | 'denied', tokens: number, feature = 'hpc'): LicenceEvent => ({
  at: hour * 3_600_000,
  kind,
  feature,
  tokens,
  user: 'user@host',
  daemon: 'daemon',
});
const start = (hour: number, daemon: string): LicenceEvent => ({ at: hour * 3_600_000, kind: 'start', daemon });

describe('statistics of a feature', () => {
  it('count checkouts, the peak and when it was first reached, token-hours and what is still out', () => {
    expect(
      featureStatistics([
        event(0, 'out', 4),
        event(1, 'out', 8),
        event(3, 'in', 8),
        event(4, 'out', 8),
        event(5, 'in', 4),
      ]),
    ).toEqual([
      { feature: 'hpc', checkouts: 3, peak: 12, peakAt: 3_600_000, tokenHours: 4 + 24 + 4 + 12, stillOut: 8 },
    ]);
  });

  it('never go below zero', () => {
    expect(
      featureStatistics([event(0, 'in', 4), event(1, 'out', 2), event(2, 'in', 4), event(3, 'out', 1)]),
    ).toMatchObject([{ peak: 2, tokenHours: 2, stillOut: 1 }]);
  });

  it('add nothing after its last event', () => {
    expect(featureStatistics([event(0, 'out', 1, 'a'), event(0, 'out', 1, 'b'), event(9, 'in', 1, 'b')])).toMatchObject(
      [
        { feature: 'a', tokenHours: 0, stillOut: 1 },
        { feature: 'b', tokenHours: 9, stillOut: 0 },
      ],
    );
  });

  it('go to zero when its vendor daemon starts again, and not when another does', () => {
    expect(
      featureStatistics([event(0, 'out', 4), start(1, 'other'), start(2, 'daemon'), event(3, 'out', 1)]),
    ).toMatchObject([{ peak: 4, tokenHours: 8, stillOut: 1 }]);
  });

  it('leave denials out', () => {
    expect(featureStatistics([event(0, 'denied', 4)])).toEqual([]);
  });

  it('have no time of a peak where nothing went out', () => {
    expect(featureStatistics([event(0, 'in', 4)])).toEqual([
      { feature: 'hpc', checkouts: 0, peak: 0, tokenHours: 0, stillOut: 0 },
    ]);
  });

  it('of any jobs have the token-hours of the jobs, and nothing stays out', () => {
    fc.assert(
      fc.property(anyJobs, (jobs) => {
        for (const { feature, tokenHours, stillOut } of featureStatistics(eventsOf(jobs))) {
          const asked = jobs.reduce(
            (sum, { needs, runSeconds }) =>
              sum + (Object.hasOwn(needs, feature) ? (needs[feature] ?? 0) : 0) * runSeconds,
            0,
          );
          expect(tokenHours).toBeCloseTo(asked / 3_600, 6);
          expect(stillOut).toBe(0);
        }
      }),
    );
  });
});

describe.skipIf(realLogsMissing)(`statistics of a real log${orSkipped}`, () => {
  it.each([
    [
      'hfss-2017-01-08.log',
      [
        ['hfsshpc', 96, 32, '2017-02-03T21:26:00.000Z', '8998.2', 0],
        ['hfss_solve', 98, 8, '2017-02-03T21:26:00.000Z', '1615.4', 0],
        ['aa_r', 299, 9, '2017-01-09T15:32:15.000Z', '776.2', 0],
        ['aa_r_hpc', 72, 384, '2017-01-19T13:47:46.000Z', '12613.0', 0],
      ],
    ],
    [
      'hfss-2017-02-18.log',
      [
        ['hfsshpc', 4_207, 122, '2017-03-25T19:31:39.000Z', '85487.7', 62],
        ['hfss_solve', 4_220, 13, '2017-05-10T22:13:53.000Z', '8123.2', 4],
        ['aa_r', 249, 4, '2017-05-15T18:37:41.000Z', '2337.5', 0],
        ['aa_r_hpc', 114, 64, '2017-02-22T10:56:48.000Z', '25170.5', 0],
        ['optimetrics', 218, 7, '2017-05-16T00:16:42.000Z', '2412.6', 1],
      ],
    ],
  ])('are what an independent script counted in %s', async (log, expected) => {
    const { events = [] } = await openTrace(realLog(log));
    const counted = featureStatistics(events).map(({ feature, checkouts, peak, peakAt, tokenHours, stillOut }) => [
      feature,
      checkouts,
      peak,
      new Date(peakAt ?? 0).toISOString(),
      tokenHours.toFixed(1),
      stillOut,
    ]);
    expect(counted).toEqual(expect.arrayContaining(expected));
  });
});
