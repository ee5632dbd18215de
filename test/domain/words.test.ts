import { describe, expect, it } from 'vitest';
import { count, duration, needsInWords } from '../../shared/domain/words.ts';

describe('words for people', () => {
  it('says one token, and several tokens', () => {
    expect([0, 1, 2].map((amount) => count(amount, 'token'))).toEqual(['0 tokens', '1 token', '2 tokens']);
  });

  it.each([
    [0, '0 s'],
    [84.4, '84 s'],
    [119, '119 s'],
    [120, '2 min'],
    [7_199, '119 min'],
    [7_200, '2 h'],
    [9_000, '2 h 30 min'],
    [47 * 3_600, '47 h'],
    [3 * 86_400, '3 d'],
  ])('says %d seconds as people do', (seconds, words) => {
    expect(duration(seconds)).toBe(words);
  });

  it('lists needs in one order, whatever order they came in', () => {
    expect(needsInWords({ hfsshpc: 32, hfss_solve: 1 })).toBe('1 hfss_solve + 32 hfsshpc');
    expect(needsInWords({ hfss_solve: 1, hfsshpc: 32 })).toBe('1 hfss_solve + 32 hfsshpc');
  });
});
