import { describe, expect, it } from 'vitest';
import { waitBegan, waitingClasses, waitingTokens } from '../../../onprem/gateway/waiting-classes.ts';
import type { WaitingJobs } from '../../../onprem/scheduler.ts';
import { maxWaitingClasses } from '../../../shared/contracts/controller.ts';
import { minute, start } from '../support.ts';

function waits(id: string, needs: Record<string, number>, over: Partial<WaitingJobs> = {}): WaitingJobs {
  return { id, jobs: 1, needs, waitingSince: start, ...over };
}

describe('waiting jobs as classes', () => {
  it('keep the order of the scheduler; neighbours with the same needs are one, as old as the oldest', () => {
    const waiting = [
      waits('1', { a: 2, b: 1 }, { waitingSince: start + minute }),
      waits('2', { b: 1, a: 2 }, { jobs: 3 }),
      waits('3', { a: 4 }),
      waits('4', { a: 2, b: 1 }),
    ];
    expect(waitingClasses(waiting, start + 2 * minute)).toEqual([
      { jobs: 4, needs: { a: 2, b: 1 }, waitingSeconds: 120 },
      { jobs: 1, needs: { a: 4 }, waitingSeconds: 120 },
      { jobs: 1, needs: { a: 2, b: 1 }, waitingSeconds: 120 },
    ]);
  });

  it('have waited for no less than nothing where the clocks differ', () => {
    expect(waitingClasses([waits('1', { a: 1 })], start - minute)).toMatchObject([{ waitingSeconds: 0 }]);
  });

  it('are as many as an answer may hold, the first ones', () => {
    const waiting = Array.from({ length: maxWaitingClasses + 5 }, (_, index) => waits(`${index}`, { a: index + 1 }));
    const classes = waitingClasses(waiting, start);
    expect(classes).toHaveLength(maxWaitingClasses);
    expect(classes[0]?.needs).toEqual({ a: 1 });
  });

  it('want the sum over all their jobs', () => {
    expect(waitingTokens([waits('1', { a: 2, b: 1 }, { jobs: 3 }), waits('2', { a: 4 })])).toEqual(
      new Map([
        ['a', 10],
        ['b', 3],
      ]),
    );
  });
});

describe('a wait', () => {
  it.each([
    { why: 'a job is new', before: [], now: [waits('1', { a: 1 })], began: true },
    {
      why: 'an array has more tasks',
      before: [waits('1', { a: 1 })],
      now: [waits('1', { a: 1 }, { jobs: 2 })],
      began: true,
    },
    { why: 'nothing has changed', before: [waits('1', { a: 1 })], now: [waits('1', { a: 1 })], began: false },
    {
      why: 'a job has started',
      before: [waits('1', { a: 1 }), waits('2', { a: 1 })],
      now: [waits('2', { a: 1 })],
      began: false,
    },
  ])('has begun or not: $why', ({ before, now, began }) => {
    expect(waitBegan(before, now)).toBe(began);
  });
});
