import { describe, expect, it } from 'vitest';
import { acquire } from '../../onprem/leases.ts';
import { second, start } from './support.ts';

const first = acquire(undefined, 'blue', 60, start);

describe('a lease', () => {
  it('begins with epoch 1', () => {
    expect(first).toEqual({ holder: 'blue', epoch: 1, expiresAt: start + 60 * second });
  });

  it('is renewed by its holder under the same epoch, even after it has expired', () => {
    expect(acquire(first, 'blue', 60, start + 30 * second)).toEqual({ ...first, expiresAt: start + 90 * second });
    expect(acquire(first, 'blue', 60, start + 90 * second)).toEqual({ ...first, expiresAt: start + 150 * second });
  });

  it('stays with its holder until it expires', () => {
    expect(acquire(first, 'green', 60, start + 60 * second - 1)).toBe(first);
  });

  it('goes to another holder with the next epoch once it has expired', () => {
    expect(acquire(first, 'green', 60, start + 60 * second)).toEqual({
      holder: 'green',
      epoch: 2,
      expiresAt: start + 120 * second,
    });
  });
});
