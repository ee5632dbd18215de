import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleSite } from '../../shared/config/load.ts';
import { nothing } from '../../shared/cost/tally.ts';
import { monthlyUsage, NothingElastic } from '../../shared/cost/usage.ts';
import { smallSite } from '../reconcile/sites.ts';

const quiet = { ...nothing, calls: 60, databaseRequests: 60, readUnits: 180 };
const measured = {
  idle: { reconcile: { ...quiet, outsideCalls: 121 }, 'push-total': nothing, relay: nothing },
  borrow: {
    reconcile: { ...nothing, calls: 1, databaseRequests: 12, writeUnits: 15, keptUnits: 6, events: 2, logBytes: 500 },
    'push-total': { ...nothing, calls: 2, databaseRequests: 6, writeUnits: 6, keptUnits: 2, logBytes: 250 },
    relay: nothing,
  },
};
const site = smallSite();
const minutesAMonth = 730 * 60;

describe('what a site uses in a month', () => {
  it('is, while nothing happens, what one function does every minute', () => {
    expect(monthlyUsage(site, measured, 0)).toMatchObject({
      lambdaRequests: minutesAMonth,
      schedules: minutesAMonth,
      tableReads: 3 * minutesAMonth,
      tableWrites: 0,
      events: 0,
      apiRequests: 0,
      secrets: 2,
    });
  });

  it('is, for a borrow a day, what it adds and a call of the controller that starts it', () => {
    const daysAMonth = 730 / 24;
    expect(monthlyUsage(site, measured, 1)).toMatchObject({
      lambdaRequests: expect.closeTo(minutesAMonth + (1 + 2 + 1) * daysAMonth, 6),
      tableWrites: expect.closeTo((15 + 6 + 1) * daysAMonth, 6),
      events: expect.closeTo((2 + 1) * daysAMonth, 6),
      apiRequests: expect.closeTo(daysAMonth, 6),
      schedules: minutesAMonth,
    });
  });

  it('grows with each borrow by the same', () => {
    const quantities = (borrows: number) => Object.entries(monthlyUsage(site, measured, borrows));
    const one = new Map(quantities(1));
    const grows = (borrows: number): void => {
      const many = new Map(quantities(borrows));
      for (const [name, none] of quantities(0)) {
        const expected = none + borrows * ((one.get(name) ?? NaN) - none);
        expect({ name, off: (many.get(name) ?? NaN) - expected }).toEqual({ name, off: expect.closeTo(0, 3) });
      }
    };
    fc.assert(fc.property(fc.integer({ min: 0, max: 10_000 }), grows));
  });

  it('is far more where the controller fetches the calls, as a function waits for it all the time', () => {
    const { file } = site;
    const pull = { ...site, file: { ...file, controller: { delivery: 'pull' as const } } };
    const [pushed, pulled] = [site, pull].map((each) => monthlyUsage(each, measured, 0));
    const allTheTime = 730 * 3_600 * (256 / 1_024);
    expect(pulled?.lambdaDuration).toBeGreaterThan((pushed?.lambdaDuration ?? NaN) + allTheTime);
    expect(pulled?.apiRequests).toBeGreaterThanOrEqual((730 * 3_600) / 20);
  });

  it('cannot hold borrows where nothing is elastic', () => {
    const fixed = assembleSite({ site: 'lab', providers: [], resources: { hfsshpc: { shared: true, total: 8 } } });
    const { idle } = measured;
    expect(monthlyUsage(fixed, { idle }, 0).events).toBe(0);
    expect(() => monthlyUsage(fixed, { idle }, 1)).toThrow(NothingElastic);
  });
});
