import type { GrantStatus } from '../contracts/status.ts';
import { phaseOf } from '../domain/grants.ts';
import type { Grant, Instant, Recall } from '../domain/model.ts';
import { costOf } from '../domain/spending.ts';
import { goingTokens } from './figures.ts';
import { rfc3339 } from './rfc3339.ts';

export function grantStatus(grant: Grant, now: Instant): GrantStatus {
  const { id, provider, tokens, terms, requestedAt, grantedAt = now, holdUntil, expiresAt, recall } = grant;
  return {
    id,
    provider,
    phase: phaseOf(grant),
    tokens,
    going: goingTokens(grant),
    requestedAt: rfc3339(requestedAt),
    ...(holdUntil !== undefined && { holdUntil: rfc3339(holdUntil) }),
    ...(expiresAt !== undefined && { expiresAt: rfc3339(expiresAt) }),
    ...(recall && { recalled: recallAnswer(recall) }),
    costPerTokenHour: terms.costPerTokenHour,
    costSoFar: Number(costOf(terms, tokens, Math.max(0, now - grantedAt)).toFixed(4)),
  };
}

export function recallAnswer({ kind, by }: Recall): { kind: Recall['kind']; by?: string } {
  return { kind, ...(by !== undefined && { by: rfc3339(by) }) };
}
