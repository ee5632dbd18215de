import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { parseJobLine, readJobs, TraceLineError, writeJobs } from '../../shared/traces/job.ts';
import { anyJobs, collect, linesOf, utc } from './support.ts';

const line =
  '{"submit":"2026-01-05T09:30:00Z","needs":{"hfss_solve":1,"hfsshpc":32},"runSeconds":5400,"user":"user1@host1"}';
const job = {
  submit: utc('2026-01-05T09:30:00Z'),
  needs: { hfss_solve: 1, hfsshpc: 32 },
  runSeconds: 5_400,
  user: 'user1@host1',
};

describe('a line of a JSON-lines trace', () => {
  it('is one job', () => {
    expect(parseJobLine(line, { line: 1 })).toEqual(job);
  });

  it('may tell the time with an offset, a run of part of a second, and no user', () => {
    const other = '{"submit":"2026-01-05T10:30:00.250+01:00","needs":{"a":1},"runSeconds":0.5}';
    expect(parseJobLine(other, { line: 1 })).toEqual({
      submit: utc('2026-01-05T09:30:00.250Z'),
      needs: { a: 1 },
      runSeconds: 0.5,
    });
  });

  it.each([
    ['no JSON', 'submit 2026', 'one JSON object'],
    ['no object', '[]', 'one JSON object'],
    ['a field too many', line.replace('"user"', '"users"'), 'one JSON object'],
    ['a time without offset', line.replace('00Z', '00'), 'submit: a time'],
    ['a day that is not', line.replace('01-05', '02-30'), 'submit: a time'],
    ['no needs', line.replace(/"needs":{[^}]*}/, '"needs":{}'), 'needs: '],
    ['needs of nothing', line.replace(/"needs":{[^}]*}/, '"needs":{"a":0}'), 'needs: '],
    ['half a token', line.replace('32', '0.5'), 'needs: '],
    ['a resource name with a space', line.replace('hfss_solve', 'hfss solve'), 'needs: '],
    ['a negative run', line.replace('5400', '-1'), 'runSeconds: '],
    ['a run as text', line.replace('5400', '"5400"'), 'runSeconds: '],
    ['an empty user', line.replace('user1@host1', ''), 'user: '],
  ])('with %s is refused, and the error says what was expected', (_, broken, expected) => {
    expect(() => parseJobLine(broken, { line: 7, file: 'week.jsonl' })).toThrow(
      expect.objectContaining({
        file: 'week.jsonl',
        line: 7,
        found: broken,
        expected: expect.stringContaining(expected),
      }),
    );
  });

  it('that is broken and long is quoted in part', () => {
    expect(() => parseJobLine('x'.repeat(1_000), { line: 1 })).toThrow(
      `reading trace line 1: found ${'x'.repeat(159)}…; expected`,
    );
  });
});

describe('a JSON-lines trace', () => {
  it('may hold blank lines, which count as lines', async () => {
    await expect(collect(readJobs(linesOf('', line, '  ', line)))).resolves.toEqual([job, job]);
    await expect(collect(readJobs(linesOf('', line, ' ', '!')))).rejects.toMatchObject({ line: 4 });
  });

  it('may have CR LF line ends', async () => {
    await expect(collect(readJobs(linesOf(`${line}\r`)))).resolves.toEqual([job]);
  });

  it('is read up to its first broken line', async () => {
    const jobs = readJobs(linesOf(line, '!', line), { file: 'week.jsonl' });
    await expect(jobs.next()).resolves.toEqual({ done: false, value: job });
    await expect(jobs.next()).rejects.toThrow(TraceLineError);
  });

  it('is read to its end where faults are collected', async () => {
    const faults: TraceLineError[] = [];
    const jobs = await collect(readJobs(linesOf('!', line, '?'), { onFault: (fault) => faults.push(fault) }));
    expect(jobs).toEqual([job]);
    expect(faults.map((fault) => fault.line)).toEqual([1, 3]);
  });

  it('that was written reads back as the same jobs', async () => {
    await fc.assert(
      fc.asyncProperty(anyJobs, async (jobs) => {
        expect(await collect(readJobs(linesOf(...writeJobs(jobs))))).toEqual(jobs);
      }),
    );
  });
});
