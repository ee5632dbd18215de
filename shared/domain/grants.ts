import type { Grant, Instant, Tokens } from './model.ts';

/** The three durable phases each way: borrowing, then returning. */
export type Phase = Grant['state'] | 'withdrawing' | 'returning';

/** The grant's place in its life, in the glossary's words. */
export function phaseOf(grant: Grant): Phase {
  return grant.return?.phase ?? grant.state;
}

/** Tokens that the target total counts: lent for certain, and not on their way back. */
export function countedTokens(grant: Grant): Tokens {
  return grant.state === 'requested' ? 0 : grant.tokens - (grant.return?.tokens ?? 0);
}

/** Sum over grants; `tokensOf` says which of a grant's tokens count. */
export function sumTokens(grants: readonly Grant[], tokensOf: (grant: Grant) => Tokens): Tokens {
  let sum = 0;
  for (const grant of grants) sum += tokensOf(grant);
  return sum;
}

/** Tokens that count against every cap: all that is lent or might be, whatever its phase. */
export function heldTokens(grant: Grant): Tokens {
  return grant.tokens;
}

/** Tokens that may still arrive. */
export function requestedTokens(grant: Grant): Tokens {
  return grant.state === 'requested' && grant.return === undefined ? grant.tokens : 0;
}

/**
 * The provider hears of a return only when all of the grant is on its way: because it takes no parts, or because it no
 * longer lends all of it, so that its answer about a part would take from the ledger what jobs still use.
 */
export function goesBackWhole({ terms, recall }: Grant): boolean {
  return !terms.partialReturns || recall?.kind === 'lost';
}

/** The provider takes nothing of it back yet. */
export function isHeldByMinimum(grant: Grant, now: Instant): boolean {
  return grant.holdUntil !== undefined && now < grant.holdUntil;
}

/** From half of the lease on a grant is renewed, as DHCP clients do (RFC 2131, T1), so that many tries fit before its end. */
export function isRenewalDue(grant: Grant, now: Instant): boolean {
  if (grant.expiresAt === undefined || grant.terms.leaseSeconds === undefined) return false;
  return now >= grant.expiresAt - (grant.terms.leaseSeconds * 1000) / 2;
}
