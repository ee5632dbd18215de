import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { historyCursor, historyQuery } from '../../shared/contracts/status.ts';

describe('a history cursor', () => {
  test.prop([fc.nat({ max: 1e12 })])('leads back to its version', (version) => {
    const cursor = historyCursor.encode(version);
    expect(historyQuery.parse({ cursor })).toEqual({ cursor: version, limit: 100 });
  });

  test.prop([fc.string({ unit: 'binary' })])(
    'is refused, or a whole number from 0 that can be counted on',
    (cursor) => {
      const { success, data } = historyQuery.safeParse({ cursor });
      if (success) expect(Number.isSafeInteger(data.cursor) && (data.cursor ?? -1) >= 0).toBe(true);
    },
  );
});
