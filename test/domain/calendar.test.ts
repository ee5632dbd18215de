import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { periodStart } from '../../shared/domain/calendar.ts';

const instant = fc.integer({ min: 0, max: Date.UTC(2400, 11, 31) });

describe('the start of a period', () => {
  it('is midnight of the UTC day', () => {
    fc.assert(
      fc.property(instant, (now) => {
        expect(new Date(periodStart(now, 'day')).toISOString()).toBe(
          `${new Date(now).toISOString().slice(0, 10)}T00:00:00.000Z`,
        );
      }),
    );
  });

  it('is midnight of the first of the UTC month', () => {
    fc.assert(
      fc.property(instant, (now) => {
        expect(new Date(periodStart(now, 'month')).toISOString()).toBe(
          `${new Date(now).toISOString().slice(0, 7)}-01T00:00:00.000Z`,
        );
      }),
    );
  });

  it.each([
    [Date.UTC(2028, 1, 29, 23, 59, 59, 999), Date.UTC(2028, 1, 1)],
    [Date.UTC(2028, 2, 1), Date.UTC(2028, 2, 1)],
    [Date.UTC(2100, 1, 28), Date.UTC(2100, 1, 1)],
    [Date.UTC(2027, 11, 31), Date.UTC(2027, 11, 1)],
  ])('holds around leap days and turns of the year: %d', (now, start) => {
    expect(periodStart(now, 'month')).toBe(start);
  });
});
