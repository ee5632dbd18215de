/** Which borrowed tokens leave the total: those that must go, as they fall idle, then those that have been idle long enough. */
import { wholeBlocks } from './borrowable.ts';
import {
  countedTokens,
  goesBackWhole,
  heldTokens,
  isHeldByMinimum,
  phaseOf,
  requestedTokens,
  sumTokens,
} from './grants.ts';
import { isConfirmed, isSame } from './ledger.ts';
import { expiryMarginSeconds } from './limits.ts';
import type { Change, ElasticPolicy, Grant, Instant, Observation, ObservedResource, Tokens } from './model.ts';
import { usedTokens, waitingTokens } from './observed.ts';
import { peakNeed } from './peaks.ts';
import type { Draft, Situation } from './situation.ts';
import { isOverspent } from './spending.ts';
import { count, duration } from './words.ts';

/** Withdrawals for one resource. `make` makes each change, so that the draft's ledger follows. */
export function withdraw(draft: Draft, situation: Situation, make: (change: Change) => void): void {
  withdrawUrgent(draft, situation, make);
  if (situation.observation !== undefined) {
    abandonUnwanted(draft, situation.observation, situation, make);
    withdrawUnused(draft, situation.observation, situation.now, make);
  } else withdrawUnheard(draft, situation, make);
}

/** Lost, recalled and ending grants: as many tokens as are idle right now, whatever the minimum hold. */
function withdrawUrgent(draft: Draft, { now }: Situation, make: (change: Change) => void): void {
  if (draft.observed === undefined) return;
  for (const { grant, why } of urgentGrants(draft.ledger.grants, now)) {
    const counted = countedTokens(grant);
    const idle = wantedTotal(draft) - usedTokens(draft.observed);
    const tokens = urgentPart(grant, Math.min(counted, idle));
    if (tokens <= 0) continue;
    make(withdrawal(draft, grant, tokens, now, `${why}; ${count(tokens, 'token')} of ${counted} idle`));
  }
}

/** In the order of their haste. */
function urgentGrants(grants: readonly Grant[], now: Instant): { grant: Grant; why: string; by: Instant }[] {
  const urgent: { grant: Grant; why: string; by: Instant }[] = [];
  for (const grant of grants) {
    if (countedTokens(grant) === 0) continue;
    const margin = expiryMarginSeconds * 1000;
    if (grant.recall?.kind === 'lost') {
      urgent.push({ grant, by: -Infinity, why: `${grant.provider} no longer lends this grant` });
    } else if (grant.recall !== undefined) {
      urgent.push({ grant, by: grant.recall.by ?? now, why: `${grant.provider} recalled this grant` });
    } else if (grant.expiresAt !== undefined && now >= grant.expiresAt - margin) {
      const left = grant.expiresAt - now;
      const when = left > 0 ? `ends in ${duration(left / 1000)}` : `ended ${duration(-left / 1000)} ago`;
      urgent.push({ grant, by: grant.expiresAt, why: `the grant ${when} and was not renewed` });
    }
  }
  return urgent.sort((a, b) => a.by - b.by || (a.grant.id < b.grant.id ? -1 : 1));
}

/** How many of `tokens` can leave the total now. What goes back whole gathers, as one token after the other falls idle. */
function urgentPart(grant: Grant, tokens: Tokens): Tokens {
  if (goesBackWhole(grant)) return tokens;
  if (grant.return !== undefined) return 0;
  return tokens === grant.tokens ? tokens : wholeBlocks(tokens, grant.terms.block);
}

/**
 * Requests that were never answered and that no job waits for any more, or any while borrowing is frozen. A provider that
 * is asked to end one may do so long after, so this is recorded first: whatever is lent under such an id never becomes
 * part of a total. It may be part of one that somebody else wrote, until the controller has confirmed ours.
 */
function abandonUnwanted(
  draft: Draft,
  observation: Observation,
  { now, frozen }: Situation,
  make: (change: Change) => void,
): void {
  const { policy, ledger } = draft;
  if (ledger.confirmed === undefined) return;
  const why = frozen ? `${frozen.by} has frozen borrowing` : unwanted(ledger.grants, policy, observation);
  if (why === undefined) return;
  for (const { id, state, tokens, requestedAt, return: going } of ledger.grants) {
    if (state !== 'requested' || going !== undefined || requestedAt >= now) continue;
    const reason = `${why}, and its request was never answered`;
    make({ kind: 'withdraw', grant: id, returnId: `${id}.a`, tokens, reason });
  }
}

function unwanted(grants: readonly Grant[], policy: ElasticPolicy, observation: Observation): string | undefined {
  if (sumTokens(grants, heldTokens) > policy.maxBorrowed) return 'with it more would be borrowed than may be';
  return waitingTokens(observation, policy.resource) > 0 ? undefined : 'no job waits for it any more';
}

/** Tokens that nothing has needed for the resource's `returnAfter`. */
function withdrawUnused(draft: Draft, observation: Observation, now: Instant, make: (change: Change) => void): void {
  const { policy, observed, ledger } = draft;
  if (observed === undefined || !isSettled(draft)) return;
  const candidates = ledger.grants.filter(
    (grant) => phaseOf(grant) === 'active' && grant.recall === undefined && !isHeldByMinimum(grant, now),
  );
  if (candidates.length === 0) return;
  const needed = neededTokens(draft, observed, observation, now);
  if (needed === undefined) return;
  let returnable = wantedTotal(draft) - needed.tokens - policy.headroom;
  const kept = policy.headroom > 0 ? `, ${policy.headroom} kept as headroom` : '';
  const why = `of ${wantedTotal(draft)} ${needed.inWords}${kept}`;
  for (const grant of candidates.sort(dearestFirst)) {
    const tokens = unusedPart(grant, returnable);
    if (tokens <= 0) continue;
    returnable -= tokens;
    make(withdrawal(draft, grant, tokens, now, `${count(tokens, 'token')} of ${grant.provider} unused: ${why}`));
  }
}

/**
 * How many tokens have to stay; `undefined` where that is not known. Past the spending cap only use keeps them, so that
 * nobody can spend more by saying that jobs wait.
 */
function neededTokens(
  { policy, ledger }: Draft,
  observed: ObservedResource,
  observation: Observation,
  now: Instant,
): { readonly tokens: Tokens; readonly inWords: string } | undefined {
  const peak = peakNeed(observed.recentPeaks, policy.returnAfterSeconds);
  if (!peak.known) return undefined;
  const used = usedTokens(observed);
  if (isOverspent(ledger, policy, now)) return { tokens: used, inWords: `${used} in use, past the spending cap` };
  const tokens = Math.max(peak.need, used + waitingTokens(observation, policy.resource));
  return { tokens, inWords: `at most ${tokens} needed in the last ${duration(policy.returnAfterSeconds)}` };
}

/** The controller applies what the ledger wants and nothing is on its way, so its figures speak of this total. */
function isSettled({ ledger, observed }: Draft): boolean {
  return (
    observed !== undefined &&
    isConfirmed(ledger) &&
    isSame(observed, ledger.target) &&
    sumTokens(ledger.grants, requestedTokens) === 0
  );
}

function unusedPart(grant: Grant, returnable: Tokens): Tokens {
  const { block, partialReturns } = grant.terms;
  if (grant.tokens <= returnable) return grant.tokens;
  return partialReturns ? wholeBlocks(returnable, block) : 0;
}

/** The dearest first; of equals the one nearest the end of what is paid for; the id settles the rest. */
function dearestFirst(a: Grant, b: Grant): number {
  return (
    b.terms.costPerTokenHour - a.terms.costPerTokenHour ||
    (a.expiresAt ?? a.holdUntil ?? 0) - (b.expiresAt ?? b.holdUntil ?? 0) ||
    (a.id < b.id ? -1 : 1)
  );
}

/**
 * `onStale: ownedOnly`: the controller has not been heard for too long, so all that may go back is left out of the
 * target. It is safe without a look at the site because the controller confirms no total below its use.
 */
function withdrawUnheard(draft: Draft, { now, unheardSince }: Situation, make: (change: Change) => void): void {
  const { policy, ledger } = draft;
  if (policy.onStale !== 'ownedOnly' || unheardSince === undefined) return;
  const silentSeconds = (now - unheardSince) / 1000;
  if (silentSeconds < policy.staleAfterSeconds) return;
  for (const grant of ledger.grants) {
    if (countedTokens(grant) === 0 || grant.return !== undefined || isHeldByMinimum(grant, now)) continue;
    make(
      withdrawal(draft, grant, grant.tokens, now, `the controller has not been heard for ${duration(silentSeconds)}`),
    );
  }
}

/**
 * Always under a new id: the provider may have been told of the tokens that went before. The time keeps it new also to a
 * ledger that was restored from a backup and makes its versions again.
 */
function withdrawal({ ledger }: Draft, grant: Grant, tokens: Tokens, now: Instant, reason: string): Change {
  const returnId = `${grant.id}.r${now.toString(36)}-${ledger.version + 1}`;
  return { kind: 'withdraw', grant: grant.id, returnId, tokens, reason };
}

/** Owned and counted: what the target will be when the draft is recorded. */
export function wantedTotal({ ledger }: Draft): Tokens {
  return ledger.target.owned + sumTokens(ledger.grants, countedTokens);
}
