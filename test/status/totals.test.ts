import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../shared/domain/model.ts';
import { confirmedTotals, totalsCsv } from '../../shared/status/totals.ts';
import { start } from './test-clock.ts';

function entry(at: number, owned: number, borrowed: number, confirmed: boolean): HistoryEntry {
  const target = { owned, borrowed, epoch: 1, sequence: at };
  return {
    resource: 'hfsshpc',
    version: at,
    at,
    by: 'controller',
    pass: '',
    epoch: 1,
    changes: [],
    target,
    confirmed,
  };
}

const entries = fc
  .array(fc.record({ borrowed: fc.nat({ max: 3 }), confirmed: fc.boolean() }))
  .map((all) => all.map(({ borrowed, confirmed }, at) => entry(at, 100, borrowed, confirmed)));

describe('confirmed totals', () => {
  it('step when the controller confirms, not when the ledger wants it', async () => {
    const history = [entry(1, 100, 0, true), entry(2, 100, 32, false), entry(5, 100, 32, true)];
    expect(await confirmedTotals(history)).toEqual([
      [1, 100, 0, 100],
      [5, 100, 32, 132],
    ]);
  });

  it('step when owned and borrowed change and the total stays', async () => {
    const history = [entry(1, 100, 32, true), entry(2, 132, 0, true)];
    expect(await confirmedTotals(history)).toEqual([
      [1, 100, 32, 132],
      [2, 132, 0, 132],
    ]);
  });

  it('are read from a store as from a list', async () => {
    async function* stored() {
      yield entry(1, 100, 0, true);
    }
    expect(await confirmedTotals(stored())).toEqual([[1, 100, 0, 100]]);
  });

  it('say at each time what was confirmed last, in the fewest steps', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (history) => {
        const steps = await confirmedTotals(history);
        for (const { at } of history) {
          const last = history.findLast((each) => each.confirmed && each.at <= at);
          const step = steps.findLast(([since]) => since <= at);
          expect(step?.slice(1)).toEqual(last && [100, last.target.borrowed, 100 + last.target.borrowed]);
        }
        steps.forEach((step, index) => expect(step.slice(1)).not.toEqual(steps[index - 1]?.slice(1)));
      }),
    );
  });
});

describe('totals as CSV', () => {
  it('are ordered by time and then by resource, whatever order they come in', () => {
    const csv = totalsCsv(
      new Map([
        ['vcs', [[start, 20, 0, 20]]],
        [
          'hfss',
          [
            [start, 100, 0, 100],
            [start + 1_500, 100, 32, 132],
          ],
        ],
        ['Spice', [[start, 5, 0, 5]]],
      ]),
    );
    expect(csv).toBe(
      'time,resource,owned,borrowed,total\n' +
        '2026-03-02T09:00:00Z,Spice,5,0,5\n' +
        '2026-03-02T09:00:00Z,hfss,100,0,100\n' +
        '2026-03-02T09:00:00Z,vcs,20,0,20\n' +
        '2026-03-02T09:00:01.500Z,hfss,100,32,132\n',
    );
  });

  it('keep the order of steps that one resource makes at the same time', () => {
    const csv = totalsCsv(
      new Map([
        [
          'hfss',
          [
            [start, 100, 32, 132],
            [start, 100, 0, 100],
          ],
        ],
      ]),
    );
    expect(csv.split('\n').slice(1, 3)).toEqual([
      '2026-03-02T09:00:00Z,hfss,100,32,132',
      '2026-03-02T09:00:00Z,hfss,100,0,100',
    ]);
  });

  it('are a header alone where there are none', () => {
    expect(totalsCsv(new Map())).toBe('time,resource,owned,borrowed,total\n');
  });
});
