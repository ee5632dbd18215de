import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../shared/traces/licence-event.ts';

const job = (submitSeconds: number, runSeconds: number, user: string) => ({
  submit: submitSeconds * 1_000,
  needs: { a: 1 },
  runSeconds,
  user,
});
const told = (...jobs: ReturnType<typeof job>[]) =>
  eventsOf(jobs).map(({ at, kind, user }) => `${at / 1_000} ${kind} ${user}`);

describe('events of jobs', () => {
  it('come in order of time', () => {
    expect(told(job(5, 10, 'late'), job(0, 20, 'early'))).toEqual([
      '0 out early',
      '5 out late',
      '15 in late',
      '20 in early',
    ]);
  });

  it('free tokens before others take them at the same instant', () => {
    expect(told(job(10, 5, 'second'), job(0, 10, 'first'))).toEqual([
      '0 out first',
      '10 in first',
      '10 out second',
      '15 in second',
    ]);
  });

  it('start a job of 0 seconds before they end it', () => {
    expect(told(job(10, 0, 'short'))).toEqual(['10 out short', '10 in short']);
  });

  it('tell of each resource that a job needs tokens of', () => {
    const events = eventsOf([{ submit: 0, needs: { a: 2, b: 0, c: 3 }, runSeconds: 1 }]);
    expect(events.filter(({ kind }) => kind === 'out')).toMatchObject([
      { feature: 'a', tokens: 2 },
      { feature: 'c', tokens: 3 },
    ]);
  });
});
