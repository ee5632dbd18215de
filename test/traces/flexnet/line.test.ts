import { describe, expect, it } from 'vitest';
import { dateIn, eventIn, parseLogLine } from '../../../shared/traces/flexnet/line.ts';
import { utc } from '../support.ts';

const eventOf = (message: string) => eventIn({ secondOfDay: 0, daemon: 'ansyslmd', message }, 0);

describe('a line of a FlexNet debug log', () => {
  it('has a time of day, a daemon and a message', () => {
    expect(parseLogLine(' 9:11:55 (ansyslmd) OUT: "aa_r" user004@host005  ')).toEqual({
      secondOfDay: 33_115,
      daemon: 'ansyslmd',
      message: 'OUT: "aa_r" user004@host005',
    });
  });

  it('may end in CR', () => {
    expect(parseLogLine('23:17:45 (lmgrd) TIMESTAMP 1/8/2017\r')).toMatchObject({ message: 'TIMESTAMP 1/8/2017' });
  });

  it('may have no message', () => {
    expect(parseLogLine('17:17:45 (lmgrd) ')).toEqual({ secondOfDay: 62_265, daemon: 'lmgrd', message: '' });
  });

  it.each([' ansyslmd  ansoftd  ', 'OUT: "aa_r" user004@host005', '{"submit":1}', ''])('is not %j', (text) => {
    expect(parseLogLine(text)).toBeUndefined();
  });
});

describe('a date in a message', () => {
  it.each([
    ['TIMESTAMP 1/8/2017', '2017-01-08'],
    ['TIMESTAMP 12/31/2017', '2017-12-31'],
    ["Server's System Date and Time: Sun Jan 08 2017 17:17:45 EST", '2017-01-08'],
    ['(@ansyslmd-SLOG@) Start-Date: Sun Jan 08 2017 17:17:47 EST', '2017-01-08'],
    ['(@ansyslmd-SLOG@) Time: Thu Apr 30 2015 15:34:04 Eastern Daylight Time', '2015-04-30'],
  ])('is taken from %s', (message, date) => {
    expect(dateIn(message)).toBe(utc(date));
  });

  it.each([
    '(@ansyslmd-SLOG@) Peak active connections #32 attempted at Fri Feb 03 2017 23:50:01 EST',
    '(@ansyslmd-SLOG@) 00000011 ms at  5:00:02(2/18/2017),#3,(user003,host004,19)',
    'TIMESTAMP 13/1/2017',
    '(@ansyslmd-SLOG@) Time: Thu Foo 30 2015 15:34:04 EST',
  ])('is not taken from %s', (message) => {
    expect(dateIn(message)).toBeUndefined();
  });
});

describe('an event in a message', () => {
  it('is of one licence where no number stands', () => {
    expect(eventOf('OUT: "aa_r" user004@host005')).toEqual({
      at: 0,
      kind: 'out',
      feature: 'aa_r',
      tokens: 1,
      user: 'user004@host005',
      daemon: 'ansyslmd',
    });
  });

  it.each([
    ['IN: "aa_r_hpc" user001@host001  (32 licenses)', { kind: 'in', tokens: 32 }],
    ['OUT: "aa_r" user001@host001  (1 license)', { kind: 'out', tokens: 1 }],
    ['OUT: "aa_r" user001@host001  [group 7] (4 licenses)', { kind: 'out', tokens: 4, user: 'user001@host001' }],
    ['IN: "aa_r" user001@host001  (INACTIVE)', { kind: 'in', tokens: 1 }],
    ['IN: "aa_r" user001@host001  (SHUTDOWN)', { kind: 'in', tokens: 1 }],
    ['OUT: "12141" Some One@PC-7', { feature: '12141', user: 'Some One@PC-7' }],
    [
      'DENIED: "aa_r" user001@host001  (Licensed number of users already reached. (-4,342:104 "Connection reset by peer"))',
      { kind: 'denied', feature: 'aa_r', tokens: 1 },
    ],
  ])('is read from %s', (message, event) => {
    expect(eventOf(message)).toMatchObject(event);
  });

  it.each([
    'FlexNet Licensing version v11.13.1.2 build 173085 x64_lsb',
    'FLEXnet Licensing version v11.6.1.0',
    'FLEXlm version 9.2',
  ])('is the start of a vendor daemon: %s', (message) => {
    expect(eventOf(message)).toEqual({ at: 0, kind: 'start', daemon: 'ansyslmd' });
  });

  it.each(['OUT: "aa_r"', 'OUT: "aa r" user@host', 'IN: user@host', 'OUT: "aa_r" user@host (0 licenses)'])(
    'is not understood where its form is unknown: %s',
    (message) => {
      expect(eventOf(message)).toBe('not-understood');
    },
  );

  it.each(['TIMESTAMP 1/8/2017', 'EXPIRED: acpreppost', 'QUEUED: "aa_r" user@host', ''])('is not in %j', (message) => {
    expect(eventOf(message)).toBeUndefined();
  });
});
