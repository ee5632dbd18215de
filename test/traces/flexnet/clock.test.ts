import { describe, expect, it } from 'vitest';
import { LogClock } from '../../../shared/traces/flexnet/clock.ts';

/** Instants of times of day, the first of them on the day that is given. */
function instants(date: string, ...times: string[]): string[] {
  const clock = new LogClock();
  return times.map((time, index) => {
    const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
    clock.advanceTo(hours * 3_600 + minutes * 60 + seconds);
    if (index === 0) clock.setDate(Date.parse(date));
    return new Date(clock.now).toISOString().slice(0, 19);
  });
}

describe('the clock of a log', () => {
  it('goes on within the day', () => {
    expect(instants('2017-01-08', '0:00:00', '17:17:45', '23:59:59')).toEqual([
      '2017-01-08T00:00:00',
      '2017-01-08T17:17:45',
      '2017-01-08T23:59:59',
    ]);
  });

  it('passes midnight when the time of day falls back by hours', () => {
    expect(instants('2017-01-08', '23:59:59', '0:00:00', '22:00:00', '20:00:00')).toEqual([
      '2017-01-08T23:59:59',
      '2017-01-09T00:00:00',
      '2017-01-09T22:00:00',
      '2017-01-10T20:00:00',
    ]);
  });

  it('takes small steps back for lines that overtook one another, also at midnight', () => {
    expect(instants('2017-01-08', '9:00:05', '9:00:02', '23:59:59', '0:00:01', '23:59:58', '0:00:02')).toEqual([
      '2017-01-08T09:00:05',
      '2017-01-08T09:00:02',
      '2017-01-08T23:59:59',
      '2017-01-09T00:00:01',
      '2017-01-08T23:59:58',
      '2017-01-09T00:00:02',
    ]);
  });

  it('stays on the day when daylight saving ends and the hour is repeated', () => {
    expect(instants('2017-11-05', '1:59:58', '1:00:01', '2:00:00')).toEqual([
      '2017-11-05T01:59:58',
      '2017-11-05T01:00:01',
      '2017-11-05T02:00:00',
    ]);
  });

  it('stays on the day when daylight saving begins and an hour is left out', () => {
    expect(instants('2017-03-12', '1:59:59', '3:00:00')).toEqual(['2017-03-12T01:59:59', '2017-03-12T03:00:00']);
  });

  it('is moved to the date that a line tells, and says by how much', () => {
    const clock = new LogClock();
    clock.advanceTo(3_600);
    expect(clock.setDate(Date.parse('2017-01-08'))).toBe(Date.parse('2017-01-08'));
    expect(clock.now).toBe(Date.parse('2017-01-08T01:00:00Z'));
    clock.advanceTo(7_200);
    expect(clock.setDate(Date.parse('2017-01-11'))).toBe(3 * 86_400_000);
    expect(clock.now).toBe(Date.parse('2017-01-11T02:00:00Z'));
  });
});
