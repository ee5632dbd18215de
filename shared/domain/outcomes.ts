/**
 * What the parties answer, as values. A provider call has three outcomes, granted, refused and unknown; unknown changes
 * nothing, so it has no change of its own and is asked again.
 */
import type { Change, Grant, GrantTerms, Instant, ResourceLedger, Tokens } from './model.ts';
import { isSame, totalOf } from './ledger.ts';
import { countedTokens, sumTokens } from './grants.ts';
import { count } from './words.ts';

/** What came of asking for a grant. */
export type GrantOutcome =
  | {
      readonly outcome: 'granted';
      readonly tokens: Tokens;
      readonly terms: GrantTerms;
      readonly revision: string;
      /** Left of the lease, which began with the first request under this id. */
      readonly expiresInSeconds?: number;
    }
  | { readonly outcome: 'pending' }
  | { readonly outcome: 'refused'; readonly detail: string; readonly retryAfterSeconds?: number }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** What came of giving tokens back. */
export type ReturnOutcome =
  /** `tokens`: still lent under this grant, by the provider's count. */
  | { readonly outcome: 'returned'; readonly tokens: Tokens }
  | { readonly outcome: 'refused'; readonly detail: string; readonly retryAfterSeconds?: number }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** What came of asking for a longer lease. */
export type RenewOutcome =
  | { readonly outcome: 'renewed'; readonly leaseSeconds: number }
  | { readonly outcome: 'refused'; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** What came of pushing a total. */
export type TotalOutcome =
  | { readonly outcome: 'applied'; readonly total: Tokens; readonly inUse: Tokens }
  | { readonly outcome: 'below-in-use'; readonly inUse: Tokens }
  | { readonly outcome: 'stale'; readonly epoch: number; readonly sequence: number }
  | { readonly outcome: 'refused'; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** When a call was sent and when its answer arrived, by our clock. */
export interface CallTimes {
  readonly sentAt: Instant;
  readonly receivedAt: Instant;
}

/** After asking for a grant, for the first time or again. Where the answer is not yet known there is nothing to record. */
export function afterRequest(grant: Grant, outcome: GrantOutcome, times: CallTimes): Change | undefined {
  switch (outcome.outcome) {
    case 'granted': {
      const part = outcome.tokens < grant.tokens ? ` of ${grant.tokens} asked` : '';
      return {
        kind: 'granted',
        grant: grant.id,
        tokens: outcome.tokens,
        terms: outcome.terms,
        ...(outcome.expiresInSeconds === undefined ? {} : { expiresInSeconds: outcome.expiresInSeconds }),
        // Where the provider names no end, it may have made the grant when it was first asked.
        sentAt: outcome.expiresInSeconds === undefined ? grant.requestedAt : times.sentAt,
        receivedAt: times.receivedAt,
        reason: `${grant.provider} lends ${count(outcome.tokens, 'token')}${part}`,
      };
    }
    case 'refused':
      return {
        kind: 'refused',
        grant: grant.id,
        ...(outcome.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: outcome.retryAfterSeconds }),
        reason: `${grant.provider} refused: ${outcome.detail}`,
      };
    case 'pending':
    case 'unknown':
      return undefined;
  }
}

/** After asking a provider to end an id whose request was never answered. */
export function afterAbandon(grant: Grant, outcome: ReturnOutcome): Change | undefined {
  if (outcome.outcome !== 'returned' || outcome.tokens > 0) return undefined;
  return {
    kind: 'abandoned',
    grant: grant.id,
    reason: `no job waits for it any more, and ${grant.provider} confirmed that it holds nothing under this id`,
  };
}

/** After giving back what the controller has confirmed to be gone. */
export function afterGiveBack(grant: Grant, outcome: ReturnOutcome): Change | undefined {
  if (outcome.outcome !== 'returned' || grant.return === undefined || outcome.tokens >= grant.tokens) return undefined;
  // By the provider's count, which is what it lends: it may have taken less than was asked. Where it has ended more, the
  // rest is lost: its list says so, and the total counts it until its tokens are idle.
  const tokens = Math.min(grant.tokens - outcome.tokens, grant.return.tokens);
  return {
    kind: 'returned',
    grant: grant.id,
    tokens,
    reason: `${grant.provider} took back ${count(tokens, 'token')}`,
  };
}

/** A refused renewal changes nothing: it is asked again until the grant is withdrawn before its end. */
export function afterRenew(grant: Grant, outcome: RenewOutcome, times: CallTimes): Change | undefined {
  if (outcome.outcome !== 'renewed') return undefined;
  return {
    kind: 'renewed',
    grant: grant.id,
    leaseSeconds: outcome.leaseSeconds,
    sentAt: times.sentAt,
    reason: `${grant.provider} renewed the grant, which is still needed`,
  };
}

/** What the controller's answer to a pushed target means for the ledger. */
export function afterPush(ledger: ResourceLedger, outcome: TotalOutcome): readonly Change[] {
  switch (outcome.outcome) {
    case 'applied': {
      const inUse = count(outcome.inUse, 'token');
      return [confirmation(ledger, `the controller applies ${totalOf(ledger.target)} (${inUse} in use)`)];
    }
    case 'below-in-use':
      return keepInUse(ledger, outcome.inUse);
    case 'stale': {
      return isSame(outcome, ledger.target)
        ? [confirmation(ledger, 'the controller had accepted this very total before')]
        : [];
    }
    case 'refused':
    case 'unknown':
      return [];
  }
}

function confirmation({ target: { epoch, sequence } }: ResourceLedger, reason: string): Change {
  return { kind: 'confirmed', epoch, sequence, reason };
}

/** Takes back as many withdrawals as it needs for the total not to fall below what is in use. */
function keepInUse(ledger: ResourceLedger, inUse: Tokens): readonly Change[] {
  let short = inUse - ledger.target.owned - sumTokens(ledger.grants, countedTokens);
  const changes: Change[] = [];
  for (const grant of [...ledger.grants].sort(mostSurelyLentFirst)) {
    if (short <= 0) break;
    if (grant.return?.phase !== 'withdrawing') continue;
    const tokens = Math.min(grant.return.tokens, keptPart(grant, short));
    short -= tokens;
    changes.push({
      kind: 'keep',
      grant: grant.id,
      tokens,
      reason: `${count(inUse, 'token')} in use by now, so the controller keeps them`,
    });
  }
  return changes;
}

/** So that the total counts what nobody lends any more only where nothing else covers what is in use. */
function mostSurelyLentFirst(a: Grant, b: Grant): number {
  const doubt = ({ recall }: Grant): number => (recall === undefined ? 0 : recall.kind === 'recalled' ? 1 : 2);
  return doubt(a) - doubt(b);
}

/** What stays is lent in blocks or whole; of a lost grant no token more than is used, since none of it is lent. */
function keptPart({ terms, recall, return: going }: Grant, short: Tokens): Tokens {
  if (recall?.kind === 'lost') return short;
  return terms.partialReturns ? Math.ceil(short / terms.block) * terms.block : (going?.tokens ?? 0);
}
