import { describe, expect, it } from 'vitest';
import { UsedTokens } from '../../../shared/adapters/signing/used-tokens.ts';

describe('used tokens', () => {
  it('are known until they expire, and forgotten then', () => {
    const used = new UsedTokens();
    expect(used.add('a', 60, 0)).toBe(true);
    expect(used.add('b', 90, 59)).toBe(true);
    expect(used.add('a', 60, 59)).toBe(false);
    expect(used.add('c', 120, 60)).toBe(true);
    expect(used.add('a', 120, 60)).toBe(true);
  });

  it('are at most 100,000: the oldest goes for a new one', () => {
    const used = new UsedTokens();
    for (let id = 0; id < 100_000; id += 1) used.add(String(id), 60, 0);
    expect(used.add('0', 60, 0)).toBe(false);
    expect(used.add('one more', 60, 0)).toBe(true);
    expect(used.add('1', 60, 0)).toBe(false);
    expect(used.add('0', 60, 0)).toBe(true);
  });
});
