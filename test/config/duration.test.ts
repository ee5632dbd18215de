import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../shared/contracts/common.ts';
import { duration, formatDuration, InvalidDuration, parseDuration } from '../../shared/config/duration.ts';

describe('a duration', () => {
  it.each([
    ['0s', 0],
    ['90s', 90],
    ['10m', 600],
    ['1h30m', 5_400],
    ['2h', 7_200],
    ['1d', 86_400],
    ['1d1h1m1s', 90_061],
  ])('%s is %d seconds', (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  it.each(['', 's', '1', '1.5h', '-1m', '1 h', '1h 30m', '30m1h', '1h1h', '1H', '1w', ' 1m', '1m\n'])(
    'is not written %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(InvalidDuration);
    },
  );

  it('asks for the unit of a bare number', () => {
    expect(() => parseDuration('10')).toThrow('reading the duration "10": expected a unit with it: write 10s or 10m');
    expect(duration().safeParse(10).error?.issues[0]?.message).toBe('a unit with it: write 10s or 10m');
  });

  it('is written in its shortest form', () => {
    expect([0, 59, 60, 5_400, 86_400, 90_061].map(formatDuration)).toEqual([
      '0s',
      '59s',
      '1m',
      '1h30m',
      '1d',
      '1d1h1m1s',
    ]);
  });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.nat(), (wholeSeconds) => {
        expect(parseDuration(formatDuration(wholeSeconds))).toBe(wholeSeconds);
      }),
    );
  });

  it('is within its bounds, both included', () => {
    const day = duration({ least: '1m', most: '24h' });
    expect(['59s', '60s', '1d', '1d1s'].map((text) => day.safeParse(text).success)).toEqual([false, true, true, false]);
  });

  it('is never longer than the contracts carry', () => {
    const longest = seconds.maxValue ?? 0;
    expect(duration().safeParse(`${longest}s`).success).toBe(true);
    expect(duration().safeParse(`${longest + 1}s`).success).toBe(false);
  });
});
