import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DynamoDemandWindow } from '../../../shared/adapters/dynamodb/demand-window.ts';
import {
  demandWindowContract,
  enter,
  expectLaterStarts,
  expectStartsApart,
  startsOf,
} from './demand-window-contract.ts';
import { engineKinds, TestTable } from './engines.ts';
import { injectFaults, noteCalls, type Fault } from './faults.ts';

const start = 1_700_000_000_000;

describe.each(engineKinds)('DynamoDemandWindow on %s', (kind) => {
  const table = new TestTable(kind);

  function openWithFaults(faults: (Fault | undefined)[]): DynamoDemandWindow {
    const site = table.newSite();
    injectFaults(site.client, 'UpdateItemCommand', faults);
    return new DynamoDemandWindow(site);
  }

  demandWindowContract(() => new DynamoDemandWindow(table.newSite()), 20);

  it('needs one conditional update for the first call, two for the others, and no reads where a failure says why', async () => {
    const site = table.newSite();
    const window = new DynamoDemandWindow(site);
    const calls = noteCalls(site.client);
    for (const now of [start, start + 1, start + 2]) await window.enter(now);
    const names = calls.map((call) => call.name).filter((name) => kind === 'dynoxide' || name !== 'GetItemCommand');
    expect(names).toEqual(Array.from({ length: 5 }, () => 'UpdateItemCommand'));
  });

  it('knows its own start when the answer to the first try was lost', async () => {
    const window = openWithFaults(['unanswered', undefined, undefined, 'unanswered']);
    expect(await window.enter(start)).toBe('first');
    expect(await window.enter(start + 1)).toEqual({ joinAt: start + 1_000 });
    expect(await window.enter(start + 2)).toBe('joined');
  });

  it('leaves no call without a later pass when answers are lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3_000), { minLength: 1, maxLength: 20 }),
        // Two at most, so that no call runs out of tries.
        fc.uniqueArray(fc.nat(40), { maxLength: 2 }),
        async (offsets, lost) => {
          const window = openWithFaults(
            Array.from({ length: 41 }, (_, call) => (lost.includes(call) ? 'unanswered' : undefined)),
          );
          const calls = await Promise.all(offsets.map((offset) => enter(window, start + offset)));
          expectLaterStarts(calls);
          expectStartsApart(startsOf(calls));
        },
      ),
      { numRuns: 10 },
    );
  });
});
