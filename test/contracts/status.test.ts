import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyCursor, historyQuery } from '../../shared/contracts/status-history.ts';

describe('a history cursor', () => {
  it('leads back to its version', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e12 }), (version) => {
        const cursor = historyCursor.encode(version);
        expect(historyQuery.parse({ cursor })).toEqual({ cursor: version, limit: 100 });
      }),
    );
  });

  it('is a number that can be counted on, or refused', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9a-z]{1,12}$/));
    fc.assert(
      fc.property(text, (cursor) => {
        const { success, data } = historyQuery.safeParse({ cursor });
        expect(!success || (Number.isSafeInteger(data.cursor) && Number(data.cursor) >= 0)).toBe(true);
      }),
    );
  });
});
