import { describe, expect, it } from 'vitest';
import { countedTokens, heldTokens, isHeldByMinimum, isRenewalDue, phaseOf } from '../../shared/domain/grants.ts';
import type { Grant } from '../../shared/domain/model.ts';
import { hour, noon, termsOf } from './builders.ts';

const grant: Grant = {
  id: 'a',
  provider: 'burst',
  state: 'active',
  tokens: 10,
  requestedAt: noon,
  terms: termsOf({ leaseSeconds: 3_600 }),
  holdUntil: noon + hour,
  expiresAt: noon + hour,
};

describe('a grant', () => {
  it('is in the phase of its return while one is under way', () => {
    expect(phaseOf(grant)).toBe('active');
    expect(phaseOf({ ...grant, return: { id: 'r', tokens: 4, phase: 'withdrawing' } })).toBe('withdrawing');
    expect(phaseOf({ ...grant, return: { id: 'r', tokens: 4, phase: 'returning' } })).toBe('returning');
  });

  it('counts in the target for what is lent for certain and not on its way back', () => {
    expect(countedTokens(grant)).toBe(10);
    expect(countedTokens({ ...grant, state: 'granted' })).toBe(10);
    expect(countedTokens({ ...grant, state: 'requested' })).toBe(0);
    expect(countedTokens({ ...grant, return: { id: 'r', tokens: 4, phase: 'withdrawing' } })).toBe(6);
    expect(countedTokens({ ...grant, return: { id: 'r', tokens: 4, phase: 'returning' } })).toBe(6);
  });

  it('counts against every cap whole, whatever its phase', () => {
    expect(heldTokens({ ...grant, state: 'requested' })).toBe(10);
    expect(heldTokens({ ...grant, return: { id: 'r', tokens: 4, phase: 'returning' } })).toBe(10);
  });

  it('is held until its minimum hold is over', () => {
    expect(isHeldByMinimum(grant, noon + hour - 1)).toBe(true);
    expect(isHeldByMinimum(grant, noon + hour)).toBe(false);
  });

  it('is due for renewal from half of its lease on, and never without an end', () => {
    expect(isRenewalDue(grant, noon + hour / 2 - 1)).toBe(false);
    expect(isRenewalDue(grant, noon + hour / 2)).toBe(true);
    const { expiresAt: _end, ...endless } = grant;
    expect(isRenewalDue({ ...endless, terms: termsOf() }, noon + 9 * hour)).toBe(false);
  });
});
