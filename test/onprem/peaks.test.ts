import { describe, expect, it } from 'vitest';
import { PeakHistory } from '../../onprem/peaks.ts';
import { minute, second, start } from './support.ts';

/** Somebody looks from `start` on, a full minute. */
function newHistory(need: number): PeakHistory {
  const history = new PeakHistory();
  history.record(need, start);
  return history;
}

describe('the record of peaks', () => {
  it('keeps the highest need of each minute', () => {
    const history = newHistory(5);
    history.record(9, start + 20 * second);
    history.record(2, start + 40 * second);
    history.record(4, start + minute + 10 * second);

    expect(history.recent(60, start + minute + 30 * second)).toEqual({ bucketSeconds: 60, needs: [9, 4] });
  });

  it('counts the need that a minute begins with', () => {
    const history = newHistory(9);
    history.record(2, start + minute + 10 * second);

    expect(history.recent(60, start + minute + 30 * second).needs).toEqual([9, 9]);
  });

  it('does not count a need that ends just where a minute begins', () => {
    const history = newHistory(9);
    history.record(2, start + minute);

    expect(history.recent(60, start + minute + 30 * second).needs).toEqual([9, 2]);
  });

  it('has the standing need in minutes in which nothing changed', () => {
    const history = newHistory(7);

    expect(history.recent(180, start + 3 * minute).needs).toEqual([7, 7, 7, 7]);
  });

  it('has a gap where nobody had looked yet', () => {
    expect(newHistory(7).recent(120, start + minute).needs).toEqual([null, 7, 7]);
  });

  it('has a gap for the minute of which the beginning was not seen', () => {
    const history = new PeakHistory();
    history.record(7, start + second);
    history.record(9, start + 2 * second);

    expect(history.recent(60, start + minute).needs).toEqual([null, 9]);
  });

  it('has a gap in every minute in which nobody looked for a part of it', () => {
    const history = newHistory(7);
    history.record(null, start + minute + second);
    history.record(3, start + 2 * minute + second);

    expect(history.recent(180, start + 3 * minute).needs).toEqual([7, null, null, 3]);
  });

  it('covers the window and the current minute, a day at most', () => {
    const history = newHistory(7);
    const now = start + 3 * 24 * 60 * minute + second;

    expect(history.recent(1, now).needs).toHaveLength(2);
    expect(history.recent(90, now).needs).toHaveLength(3);
    expect(history.recent(3_600, now).needs).toHaveLength(61);
    expect(history.recent(86_400, now).needs).toEqual(Array.from({ length: 1_441 }, () => 7));
    expect(history.recent(864_000, now).needs).toHaveLength(1_441);
  });

  it('keeps the order where its ring has wrapped', () => {
    const history = newHistory(0);
    const last = 2_000;
    for (let index = 1; index <= last; index += 1) history.record(index, start + index * minute);

    const expected = Array.from({ length: 1_441 }, (_, index) => last - 1_440 + index);
    expect(history.recent(86_400, start + last * minute).needs).toEqual(expected);
  });
});
