import { expiryMarginSeconds } from '../../shared/domain/limits.ts';
import type { Grant, Instant } from '../../shared/domain/model.ts';
import { breaker, type Check } from '../../test/promises/check.ts';

const broken = breaker(6, 'caps hold');

/** What the provider laid down is kept: no return before the minimum hold, and none in parts or broken blocks that it does not take. */
export function holdsAndParts(clockErrorSeconds: () => number): Check {
  return {
    called(call, { at, lent, ledgers }) {
      if (call.method !== 'giveBack') return;
      const [id, returnId, tokens] = call.arguments;
      const grant = lent.find((one) => one.id === id);
      if (grant === undefined || grant.returns.some((one) => one.returnId === returnId)) return;
      const held = ledgers.get(grant.resource)?.grants.find((one) => one.id === id);
      // What ends soon goes whatever the hold, as what was recalled does, and what no job wants any more is asked to end until the provider takes it.
      if (held === undefined || held.recall !== undefined || endsSoon(held, at) || returnId === `${id}.a`) return;
      const { minimumHoldSeconds, partialReturns, block } = grant.terms;
      const heldSeconds = (at - grant.madeAt) / 1000;
      if (heldSeconds < minimumHoldSeconds - clockErrorSeconds()) {
        broken(at, `${id} is given back after ${heldSeconds} s, its minimum hold is ${minimumHoldSeconds} s`);
      }
      if (tokens > grant.tokens) return;
      if (tokens % block !== 0) broken(at, `${tokens} of ${id} are given back, which is lent in blocks of ${block}`);
      if (tokens < grant.tokens && !partialReturns) broken(at, `${tokens} of ${grant.tokens} of ${id} are given back`);
    },
  };
}

function endsSoon({ expiresAt = Infinity }: Grant, at: Instant): boolean {
  return at >= expiresAt - expiryMarginSeconds * 1000;
}
