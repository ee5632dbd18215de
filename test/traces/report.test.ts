import { describe, expect, it } from 'vitest';
import { describeReport } from '../../shared/traces/report.ts';

const log = {
  format: 'flexnet',
  jobs: 2,
  lines: 10,
  linesNotUnderstood: 1,
  checkouts: 4,
  checkins: 3,
  denied: 5,
  outWithoutIn: 6,
  inWithoutOut: 7,
  dated: true,
} as const;

describe('a report', () => {
  it('of a FlexNet debug log tells every count', () => {
    expect(describeReport(log)).toBe(
      [
        'FlexNet debug log with lines: 10 (not understood: 1), jobs: 2',
        'OUT: 4, without IN, so that they end with the log or a restart: 6',
        'IN: 3, without OUT, so that they are left out: 7',
        'DENIED: 5',
      ].join('\n'),
    );
  });

  it('says when no line tells a date', () => {
    expect(describeReport({ ...log, dated: false })).toContain('No line tells a date');
  });

  it('of JSON lines tells the jobs', () => {
    expect(describeReport({ format: 'json-lines', jobs: 3 })).toBe('JSON lines with jobs: 3');
  });
});
