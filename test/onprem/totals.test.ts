import { describe, expect, it } from 'vitest';
import { effectiveTotal, initialTotal, judgeTotal, nextExpiry, unexpiredTotal } from '../../onprem/totals.ts';
import type { TotalUpdate } from '../../shared/ports.ts';
import { minute, start, update } from './support.ts';

/** Accepted before: 20, of them 10 borrowed, at epoch 2, sequence 5. */
const accepted = update({ epoch: 2, sequence: 5 });

function judge(over: Partial<TotalUpdate>, world: { inUse?: number; leaseEpoch?: number } = {}) {
  return judgeTotal(accepted, update(over), { inUse: 0, leaseEpoch: 2, now: start, ...world });
}

describe('a total update', () => {
  it.each([
    { why: 'the next sequence', over: { epoch: 2, sequence: 6 } },
    { why: 'any higher sequence', over: { epoch: 2, sequence: 60 } },
    { why: 'a higher epoch, whatever its sequence', over: { epoch: 3, sequence: 1 } },
    { why: 'the very one that was accepted', over: { epoch: 2, sequence: 5 } },
    { why: 'the one that was accepted, issued again', over: { epoch: 2, sequence: 5, issuedAt: start + minute } },
  ])('is applied: $why', ({ over }) => {
    expect(judge(over).outcome).toBe('applied');
  });

  it.each([
    { why: 'a lower sequence', over: { epoch: 2, sequence: 4 } },
    { why: 'a lower epoch with a higher sequence', over: { epoch: 1, sequence: 9 } },
    { why: 'other numbers under an accepted sequence', over: { epoch: 2, sequence: 5, borrowed: 11 } },
    {
      why: 'other expiries under an accepted sequence',
      over: { epoch: 2, sequence: 5, expiries: [{ at: start, tokens: 1 }] },
    },
  ])('is stale: $why', ({ over }) => {
    expect(judge(over)).toEqual({ outcome: 'stale', epoch: 2, sequence: 5 });
  });

  it('is stale when its owner has lost the lease, even one that was accepted', () => {
    const stale = { outcome: 'stale', epoch: 3, sequence: 5 };
    expect(judge({ epoch: 2, sequence: 6 }, { leaseEpoch: 3 })).toEqual(stale);
    expect(judge({ epoch: 2, sequence: 5 }, { leaseEpoch: 3 })).toEqual(stale);
  });

  it('is refused below what is in use, and applied down to it', () => {
    const next = { epoch: 2, sequence: 6 };
    expect(judge({ ...next, borrowed: 5 }, { inUse: 16 })).toEqual({ outcome: 'below-in-use', inUse: 16 });
    expect(judge({ ...next, borrowed: 6 }, { inUse: 16 })).toMatchObject({ outcome: 'applied' });
  });

  it('is applied below what is in use when it does not lower what applies', () => {
    expect(judge({ epoch: 2, sequence: 6, borrowed: 10 }, { inUse: 25 })).toMatchObject({ outcome: 'applied' });
    expect(judge({ epoch: 2, sequence: 6, borrowed: 9 }, { inUse: 25 })).toMatchObject({ outcome: 'below-in-use' });
  });

  it('never counts as accepted with the numbers of the state before the first', () => {
    const verdict = judgeTotal(initialTotal(10), update({ epoch: 0, sequence: 0 }), {
      inUse: 0,
      leaseEpoch: 0,
      now: start,
    });
    expect(verdict).toEqual({ outcome: 'stale', epoch: 0, sequence: 0 });
  });
});

describe('the total that applies', () => {
  const expiring = update({
    borrowed: 10,
    expiries: [
      { at: start + minute, tokens: 4 },
      { at: start + 2 * minute, tokens: 6 },
    ],
  });

  it.each([
    { at: 'before an expiry', now: start + minute - 1, inUse: 0, total: 20 },
    { at: 'at the first expiry', now: start + minute, inUse: 0, total: 16 },
    { at: 'after both', now: start + 3 * minute, inUse: 0, total: 10 },
    { at: 'after both, expired tokens being in use', now: start + 3 * minute, inUse: 13, total: 13 },
    { at: 'after both, more being in use than ever applied', now: start + 3 * minute, inUse: 25, total: 20 },
  ])('$at is $total', ({ now, inUse, total }) => {
    expect(effectiveTotal(expiring, inUse, now)).toBe(total);
  });

  it('lets jobs start within what has not expired alone', () => {
    expect(unexpiredTotal(expiring, start + 3 * minute)).toBe(10);
  });

  it('never leaves out owned tokens', () => {
    expect(unexpiredTotal(update({ borrowed: 5, expiries: [{ at: start, tokens: 9 }] }), start)).toBe(10);
  });

  it('knows its next expiry', () => {
    expect(nextExpiry(expiring, start)).toBe(start + minute);
    expect(nextExpiry(expiring, start + minute)).toBe(start + 2 * minute);
    expect(nextExpiry(expiring, start + 2 * minute)).toBeUndefined();
  });
});
