import { describe, expect, it } from 'vitest';
import { functions } from '../../functions/manifest.ts';
import { leaseSeconds } from '../../functions/wiring.ts';
import { callLifetimeSeconds } from '../../shared/adapters/signing/call-token.ts';

describe('the lease', () => {
  it('outlasts the longest pass and the calls that it has sent, so that a former owner is silent when it ends', () => {
    const { timeoutSeconds = Infinity } = functions.find(({ name }) => name === 'reconcile') ?? {};
    expect(leaseSeconds).toBeGreaterThan(timeoutSeconds + callLifetimeSeconds);
  });
});
