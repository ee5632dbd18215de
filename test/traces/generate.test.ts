import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateTrace, TooManyJobsError, type GeneratedTrace } from '../../shared/traces/generate.ts';
import { writeJobs, type TraceJob } from '../../shared/traces/job.ts';
import { utc } from './support.ts';

const weekDays = 7;
const options: GeneratedTrace = {
  seed: 1,
  from: utc('2026-01-05'),
  days: 20 * weekDays,
  resources: { hfss_solve: { busyTokens: 16 }, hfsshpc: { busyTokens: 128 } },
  jobsPerHour: 6,
};
const jobs = generateTrace(options);

describe('a generated trace', () => {
  it('is the same for a seed on every platform', () => {
    const text = [...writeJobs(generateTrace({ ...options, days: weekDays }))].join('');
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      '073953fad6411eb3af1ec7fd0aaadee45a37ed50a7ea2bcfd5b7d077f0be082f',
    );
  });

  it('is another one for another seed', () => {
    expect(generateTrace({ ...options, seed: 2 })).not.toEqual(jobs);
  });

  it('has whole seconds, whole tokens, and jobs in order within its days', () => {
    const whole = ({ submit, needs, runSeconds }: TraceJob) =>
      submit % 1_000 === 0 &&
      [runSeconds, ...Object.values(needs)].every((number) => Number.isInteger(number) && number > 0);
    expect(jobs.filter((job) => !whole(job))).toEqual([]);

    const submits = jobs.map(({ submit }) => submit);
    expect(submits).toEqual([...submits].sort((one, other) => one - other));
    expect(submits[0]).toBeGreaterThanOrEqual(options.from);
    expect(submits.at(-1)).toBeLessThan(options.from + options.days * 86_400_000);
  });

  it('has the jobs an hour that were asked for', () => {
    expect(jobs.length / (options.days * 24)).toBeCloseTo(options.jobsPerHour, 0);
  });

  it('is busy by day and on weekdays', () => {
    const count = (wanted: (time: Date) => boolean) => jobs.filter(({ submit }) => wanted(new Date(submit))).length;
    const byDay = count((time) => time.getUTCHours() >= 9 && time.getUTCHours() < 17);
    const byNight = count((time) => time.getUTCHours() < 8);
    const onMondays = count((time) => time.getUTCDay() === 1);
    const onSundays = count((time) => time.getUTCDay() === 0);
    expect(byDay).toBeGreaterThan(3 * byNight);
    expect(onMondays).toBeGreaterThan(2 * onSundays);
  });

  it('has jobs that need several resources, and jobs that need one', () => {
    const several = jobs.filter(({ needs }) => Object.keys(needs).length > 1).length;
    expect(several / jobs.length).toBeCloseTo(0.3, 1);
  });

  it('has many short runs and a few long ones', () => {
    const runs = jobs.map(({ runSeconds }) => runSeconds).sort((one, other) => one - other);
    const median = runs[Math.floor(runs.length / 2)] ?? 0;
    const mean = runs.reduce((sum, run) => sum + run, 0) / runs.length;
    expect(median).toBeGreaterThan(1_000);
    expect(median).toBeLessThan(1_400);
    expect(mean).toBeGreaterThan(1.5 * median);
  });

  it.each(['hfss_solve', 'hfsshpc'])(
    'uses in the afternoons of weekdays about as many tokens of %s as asked for',
    (name) => {
      const used: number[] = [];
      for (let at = options.from + 15 * 3_600_000; at < options.from + options.days * 86_400_000; at += 86_400_000) {
        if ([0, 5, 6].includes(new Date(at).getUTCDay())) continue;
        const running = jobs.filter(({ submit, runSeconds }) => submit <= at && at < submit + runSeconds * 1_000);
        used.push(running.reduce((sum, { needs }) => sum + (needs[name] ?? 0), 0));
      }
      const mean = used.reduce((sum, tokens) => sum + tokens, 0) / used.length;
      const asked = options.resources[name]?.busyTokens ?? 0;
      expect(mean / asked).toBeGreaterThan(0.75);
      expect(mean / asked).toBeLessThan(1.25);
    },
  );

  it('is empty without days or resources', () => {
    expect(generateTrace({ ...options, days: 0 })).toEqual([]);
    expect(generateTrace({ ...options, resources: {} })).toEqual([]);
  });

  it('is refused where a token a job would be too many, and the error says how many jobs would do', () => {
    const asking = (jobsPerHour: number) => () => generateTrace({ ...options, jobsPerHour });
    expect(asking(100)).toThrow(
      expect.objectContaining({ resource: 'hfss_solve', mostJobsPerHour: expect.closeTo(14.24, 2) }),
    );
    expect(asking(14.2)).not.toThrow();
    expect(asking(14.3)).toThrow(TooManyJobsError);
  });
});
