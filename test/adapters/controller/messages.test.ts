import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  toObservation,
  toSharedResources,
  toTotalDocument,
  toTotalUpdate,
} from '../../../shared/adapters/controller/messages.ts';
import { maxWaitingClasses, sharedResources, totalDocument } from '../../../shared/contracts/controller.ts';
import { minute, newController, start, update } from '../../onprem/support.ts';

const tokens = fc.nat(1_000);
const instant = fc.integer({ min: start - 1_000 * minute, max: start + 1_000 * minute });

describe('messages of the controller contract', () => {
  it('carry a total update unchanged', () => {
    const updates = fc.record({
      owned: tokens,
      borrowed: tokens,
      epoch: tokens,
      sequence: tokens,
      expiries: fc.array(fc.record({ at: instant, tokens })),
      issuedAt: instant,
    });
    fc.assert(
      fc.property(updates, (over) => {
        const sent = update(over);
        const message: unknown = JSON.parse(JSON.stringify(toTotalDocument('munich', sent)));
        expect(toTotalUpdate(totalDocument.parse(message))).toEqual(sent);
      }),
    );
  });

  it('carry an observation unchanged', () => {
    const observed = fc.option(
      fc.record({ inUse: tokens, issued: tokens, ageSeconds: fc.nat(100_000).map((age) => age / 1000) }),
      { nil: undefined },
    );
    const needs = fc.array(fc.option(tokens), { minLength: 1 });
    fc.assert(
      fc.property(observed, needs, tokens, instant, (use, needs, count, receivedAt) => {
        const [resource] = newController().observe(60, start).resources;
        if (resource === undefined) throw new Error('no resource');
        const seen = {
          receivedAt,
          resources: [
            {
              ...resource,
              total: count,
              recentPeaks: { bucketSeconds: 60, needs },
              ...(use === undefined ? {} : { observed: use }),
            },
          ],
          waiting: [{ jobs: 1, needs: { hfsshpc: count }, waitingSeconds: count }],
        };
        const message: unknown = JSON.parse(JSON.stringify(toSharedResources('munich', 1, seen)));
        expect(toObservation(sharedResources.parse(message), receivedAt)).toEqual(seen);
      }),
    );
  });

  it('leave out the waiting classes that are too many, from the end', () => {
    const waiting = Array.from({ length: maxWaitingClasses + 1 }, (_, index) => ({
      jobs: index + 1,
      needs: { hfsshpc: 1 },
      waitingSeconds: 0,
    }));
    const message = toSharedResources('munich', 1, { receivedAt: start, resources: [], waiting });

    expect(sharedResources.parse(message).waiting.at(-1)?.jobs).toBe(maxWaitingClasses);
  });
});
