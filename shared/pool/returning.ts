import type { Instant, Tokens } from '../domain/model.ts';
import { count, duration } from '../domain/words.ts';
import { PoolProblem } from './problem.ts';
import { close, endedGrant, replaceOpen, type Step } from './rules.ts';
import type { OpenGrant, PartReturn, Shelf } from './shelf.ts';

/**
 * How long a return's id is remembered; the newest one always is. A site has one return of a grant under way at a time,
 * so an older one arrives only as a late copy of a call, and a signed call lives for a minute.
 */
const returnRememberedSeconds = 600;
/** Most remembered returns of one grant, so that the shelf's size stays bounded. */
export const maxReturnsRemembered = 16;

/** Takes tokens of an open grant back. Answers what is still lent. */
export function giveBack(
  shelf: Shelf,
  grant: OpenGrant,
  { returnId, tokens }: { readonly returnId: string; readonly tokens: Tokens },
  now: Instant,
): Step<Tokens> {
  const doing = `returning ${count(tokens, 'token')} of grant ${grant.id}`;
  const before = grant.returns.find((done) => done.returnId === returnId);
  if (before !== undefined) {
    if (before.tokens === tokens) return { shelf, answer: grant.tokens };
    throw new PoolProblem('conflict', `${doing}: return ${returnId} was of ${before.tokens}; use a new return id`);
  }
  refuseBeforeHold(grant, doing, now);
  refuseUnfitting(grant, tokens, doing);

  const left = grant.tokens - tokens;
  if (left === 0) return { shelf: close(shelf, [endedGrant(grant, now)]), answer: 0 };
  const returns = [...remembered(grant.returns, doing, now), { returnId, tokens, at: now }];
  return { shelf: replaceOpen(shelf, { ...grant, tokens: left, returns }), answer: left };
}

/** A grant that was recalled may be given back at any time: it is the pool that wants it. */
function refuseBeforeHold(grant: OpenGrant, doing: string, now: Instant): void {
  const remaining = Math.ceil((grant.madeAt - now) / 1000 + grant.terms.minimumHoldSeconds);
  if (remaining <= 0 || grant.recall !== undefined) return;
  const hold = `its minimum hold is not over for another ${duration(remaining)}`;
  throw new PoolProblem('minimum-hold', `${doing}: ${hold}; return it then`, remaining);
}

function refuseUnfitting(grant: OpenGrant, tokens: Tokens, doing: string): void {
  const { block, partialReturns } = grant.terms;
  if (tokens > grant.tokens) {
    throw new PoolProblem('more-than-lent', `${doing}: only ${grant.tokens} are lent; return at most those`);
  }
  if (tokens % block !== 0) {
    throw new PoolProblem('whole-blocks', `${doing}: tokens are taken back in blocks of ${block}; return whole blocks`);
  }
  if (tokens < grant.tokens && !partialReturns) {
    throw new PoolProblem('no-partial-returns', `${doing}: it is taken back only whole; return all ${grant.tokens}`);
  }
}

function remembered(returns: readonly PartReturn[], doing: string, now: Instant): readonly PartReturn[] {
  const young = returns.filter(({ at }) => at > now - returnRememberedSeconds * 1000);
  const oldest = young[0];
  if (oldest === undefined || young.length < maxReturnsRemembered) return young;
  const wait = Math.ceil((oldest.at - now) / 1000 + returnRememberedSeconds);
  const detail = `${maxReturnsRemembered} parts were returned within ${duration(returnRememberedSeconds)}`;
  throw new PoolProblem('too-many-returns', `${doing}: ${detail}; return the rest at once, or wait`, wait);
}
