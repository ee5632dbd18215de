import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clockErrorMilliseconds,
  demandWindowMilliseconds,
  type DemandAnswer,
  type DemandWindow,
} from '../../../shared/adapters/demand-window.ts';

const start = 1_700_000_000_000;

interface Call {
  readonly now: number;
  readonly answer: DemandAnswer;
}

/** What every demand window does. `open` gives one that nobody has entered yet. */
export function demandWindowContract(open: () => DemandWindow, numRuns: number): void {
  it('starts a pass at once, one more at the end of the window, and lets all others join', async () => {
    const window = open();
    expect(await window.enter(start)).toBe('first');
    expect(await window.enter(start + 1)).toEqual({ joinAt: start + 1_000 });
    expect(await window.enter(start + 2)).toBe('joined');
    expect(await window.enter(start + 999)).toBe('joined');
  });

  it('takes the pass at the end of a window as the opening of the next', async () => {
    const window = open();
    await window.enter(start);
    await window.enter(start + 500);
    expect(await window.enter(start + 1_000)).toEqual({ joinAt: start + 2_000 });
    expect(await window.enter(start + 1_999)).toBe('joined');
  });

  it('starts at once again when the last window is over', async () => {
    const window = open();
    await window.enter(start);
    expect(await window.enter(start + 1_000)).toBe('first');
    await window.enter(start + 1_001);
    expect(await window.enter(start + 3_000)).toBe('first');
  });

  it('makes one pass a second of a steady stream', async () => {
    const window = open();
    const calls: Call[] = [];
    for (let now = start; now < start + 5_000; now += 200) calls.push(await enter(window, now));
    expect(startsOf(calls)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000].map((after) => start + after));
  });

  it('ignores a start far in the future, which only a wrong clock can have written', async () => {
    const window = open();
    await window.enter(start + clockErrorMilliseconds + 1);
    expect(await window.enter(start)).toBe('first');
    expect(await window.enter(start + 1)).toEqual({ joinAt: start + 1_000 });
  });

  describe('however many enter', () => {
    const offsets = fc.array(fc.nat(5_000), { minLength: 1, maxLength: 40 });

    it('gives each call a pass at most a window later', async () => {
      await fc.assert(
        fc.asyncProperty(offsets, async (offsets) => {
          const window = open();
          const calls: Call[] = [];
          for (const offset of offsets.toSorted((a, b) => a - b)) calls.push(await enter(window, start + offset));
          const starts = startsOf(calls);
          for (const { now } of calls) {
            expect(starts.some((at) => now <= at && at <= now + demandWindowMilliseconds)).toBe(true);
          }
          expectStartsApart(starts);
        }),
        { numRuns },
      );
    });

    it('gives each call a later pass also when they come at once, with clocks that differ', async () => {
      await fc.assert(
        fc.asyncProperty(offsets, async (offsets) => {
          const window = open();
          const calls = await Promise.all(offsets.map((offset) => enter(window, start + offset)));
          expectLaterStarts(calls);
          expectStartsApart(startsOf(calls));
        }),
        { numRuns },
      );
    });
  });
}

export async function enter(window: DemandWindow, now: number): Promise<Call> {
  return { now, answer: await window.enter(now) };
}

/** When passes start, in order. */
export function startsOf(calls: readonly Call[]): number[] {
  return calls
    .flatMap(({ now, answer }) => (answer === 'first' ? [now] : answer === 'joined' ? [] : [answer.joinAt]))
    .sort((a, b) => a - b);
}

export function expectLaterStarts(calls: readonly Call[]): void {
  const last = startsOf(calls).at(-1);
  for (const { now } of calls) expect(last).toBeGreaterThanOrEqual(now);
}

export function expectStartsApart(starts: readonly number[]): void {
  for (const [index, later] of starts.slice(1).entries()) {
    expect(later - (starts[index] ?? later)).toBeGreaterThanOrEqual(demandWindowMilliseconds);
  }
}
