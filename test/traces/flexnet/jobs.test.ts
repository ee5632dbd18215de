import { describe, expect, it } from 'vitest';
import { pairJobs } from '../../../shared/traces/flexnet/jobs.ts';
import type { LicenceEvent } from '../../../shared/traces/licence-event.ts';

/** Events in short: `3 out solve 2 user@host` at second 3; `9 start daemon`. All are of `daemon`. */
function events(...lines: string[]): LicenceEvent[] {
  return lines.map((line) => {
    const [seconds, kind, name = '', tokens, user = 'user@host'] = line.split(' ');
    const at = Number(seconds) * 1_000;
    if (kind === 'start') return { at, kind, daemon: name };
    if (kind !== 'out' && kind !== 'in' && kind !== 'denied') throw new Error(line);
    return { at, kind, feature: name, tokens: Number(tokens), user, daemon: 'daemon' };
  });
}

const jobsOf = (lines: string[], endsAtSeconds = 1_000) => pairJobs(events(...lines), endsAtSeconds * 1_000);
const job = (submitSeconds: number, needs: Record<string, number>, runSeconds: number, user = 'user@host') => ({
  submit: submitSeconds * 1_000,
  needs,
  runSeconds,
  user,
});

describe('a job', () => {
  it('is what one user@host checked out and checked in within two seconds', () => {
    expect(jobsOf(['0 out solve 1', '2 out hpc 32', '60 in hpc 32', '62 in solve 1'])).toEqual({
      jobs: [job(0, { solve: 1, hpc: 32 }, 62)],
      outWithoutIn: 0,
      inWithoutOut: 0,
    });
  });

  it('adds up checkouts of the same feature', () => {
    expect(jobsOf(['0 out hpc 4', '0 out hpc 4', '60 in hpc 8']).jobs).toEqual([job(0, { hpc: 8 }, 60)]);
  });

  it('is another one where checkouts are more than two seconds apart', () => {
    expect(jobsOf(['0 out solve 1', '3 out hpc 32', '60 in hpc 32', '60 in solve 1']).jobs).toEqual([
      job(0, { solve: 1 }, 60),
      job(3, { hpc: 32 }, 57),
    ]);
  });

  it('is another one for another user or host', () => {
    const lines = ['0 out solve 1 a@x', '0 out solve 1 a@y', '60 in solve 1 a@y', '70 in solve 1 a@x'];
    expect(jobsOf(lines).jobs).toEqual([job(0, { solve: 1 }, 60, 'a@y'), job(0, { solve: 1 }, 70, 'a@x')]);
  });

  it('splits where its features come back apart, so that each has its own run', () => {
    expect(jobsOf(['0 out solve 1', '0 out hpc 32', '60 in hpc 32', '90 in solve 1']).jobs).toEqual([
      job(0, { hpc: 32 }, 60),
      job(0, { solve: 1 }, 90),
    ]);
  });

  it('is told from another one that began in the same second by its end', () => {
    const lines = ['0 out solve 1', '0 out hpc 16', '2 out hpc 16', '2 out solve 1'];
    expect(jobsOf([...lines, '60 in solve 1', '60 in hpc 16', '90 in hpc 16', '90 in solve 1']).jobs).toEqual([
      job(0, { solve: 1, hpc: 16 }, 60),
      job(2, { hpc: 16, solve: 1 }, 88),
    ]);
  });

  it('may have a feature named like a property that every object has', () => {
    expect(jobsOf(['0 out constructor 1', '60 in constructor 1']).jobs).toEqual([job(0, { constructor: 1 }, 60)]);
  });

  it('never runs for less than no time, as across the hour that daylight saving repeats', () => {
    expect(jobsOf(['7000 out solve 1', '3600 in solve 1']).jobs).toEqual([job(7_000, { solve: 1 }, 0)]);
  });
});

describe('a check-in', () => {
  it('takes from the oldest checkout', () => {
    expect(jobsOf(['0 out solve 1', '10 out solve 1', '60 in solve 1', '90 in solve 1']).jobs).toEqual([
      job(0, { solve: 1 }, 60),
      job(10, { solve: 1 }, 80),
    ]);
  });

  it('may be of part of a checkout', () => {
    expect(jobsOf(['0 out hpc 32', '60 in hpc 8', '90 in hpc 24']).jobs).toEqual([
      job(0, { hpc: 8 }, 60),
      job(0, { hpc: 24 }, 90),
    ]);
  });

  it('may be of more than one checkout', () => {
    expect(jobsOf(['0 out hpc 8', '10 out hpc 24', '60 in hpc 32']).jobs).toEqual([
      job(0, { hpc: 8 }, 60),
      job(10, { hpc: 24 }, 50),
    ]);
  });

  it('for more than is out is counted, and what is out comes back', () => {
    expect(jobsOf(['0 in solve 1', '10 out hpc 8', '60 in hpc 9'])).toEqual({
      jobs: [job(10, { hpc: 8 }, 50)],
      outWithoutIn: 0,
      inWithoutOut: 2,
    });
  });
});

describe('what never comes back', () => {
  it('ends with the log, and is counted', () => {
    expect(jobsOf(['0 out solve 1', '0 out hpc 8', '60 in hpc 4'], 100)).toEqual({
      jobs: [job(0, { hpc: 4 }, 60), job(0, { solve: 1, hpc: 4 }, 100)],
      outWithoutIn: 2,
      inWithoutOut: 0,
    });
  });

  it('ends when its vendor daemon starts again; a later check-in finds nothing', () => {
    expect(jobsOf(['0 out solve 1', '50 start daemon', '60 out solve 1', '70 in solve 1', '80 in solve 1'])).toEqual({
      jobs: [job(0, { solve: 1 }, 50), job(60, { solve: 1 }, 10)],
      outWithoutIn: 1,
      inWithoutOut: 1,
    });
  });

  it('stays out when another vendor daemon starts', () => {
    expect(jobsOf(['0 out solve 1', '50 start other', '60 in solve 1']).jobs).toEqual([job(0, { solve: 1 }, 60)]);
  });
});

describe('a denial', () => {
  it('is no job', () => {
    expect(jobsOf(['0 denied solve 1']).jobs).toEqual([]);
  });
});
