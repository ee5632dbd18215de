/**
 * What one operation does to one shelf (lending and taking back have files of their own). Pure: the clock is an
 * argument, a shelf goes in and the next one comes out. A rule that changes nothing answers with the very shelf that it
 * was given. A rule that will not do what was asked throws `PoolProblem`.
 */
import type { Instant, Tokens } from '../domain/model.ts';
import { PoolProblem } from './problem.ts';
import {
  maxRecentGrants,
  recentSeconds,
  type ClaimedGrant,
  type ClosedGrant,
  type EndedGrant,
  type OpenGrant,
  type Shelf,
} from './shelf.ts';

export interface Step<Answer> {
  readonly shelf: Shelf;
  readonly answer: Answer;
}

/** Ends the grants whose lease has run out. Every other rule is given a shelf on which this was done. */
export function expire(shelf: Shelf, now: Instant): Shelf {
  const ended = shelf.open.flatMap((grant) =>
    grant.expiresAt !== undefined && grant.expiresAt <= now ? [endedGrant(grant, grant.expiresAt)] : [],
  );
  return ended.length === 0 ? shelf : close(shelf, ended);
}

/** Parts the shelf from the closed grants that it need not show any longer. */
export function parting(
  shelf: Shelf,
  now: Instant,
): { readonly shelf: Shelf; readonly leaving: readonly ClosedGrant[] } {
  const young = shelf.recent.filter(({ at }) => at > now - recentSeconds * 1000);
  const recent = young.slice(-maxRecentGrants);
  if (recent.length === shelf.recent.length) return { shelf, leaving: [] };
  const staying = new Set(recent);
  return { shelf: { ...shelf, recent }, leaving: shelf.recent.filter((grant) => !staying.has(grant)) };
}

/** Takes the grants from the open ones, where they are among them. */
export function close(shelf: Shelf, grants: readonly ClosedGrant[]): Shelf {
  const ids = new Set(grants.map(({ id }) => id));
  return { ...shelf, open: shelf.open.filter(({ id }) => !ids.has(id)), recent: [...shelf.recent, ...grants] };
}

/** The grant once nothing of it is lent any more. */
export function endedGrant({ id, site, resource, asked }: OpenGrant | ClaimedGrant, at: Instant): EndedGrant {
  return { state: 'ended', id, site, resource, asked, at };
}

export function replaceOpen(shelf: Shelf, grant: OpenGrant): Shelf {
  return { ...shelf, open: shelf.open.map((other) => (other.id === grant.id ? grant : other)) };
}

/** Closes an id under which nothing is lent yet, so that a request still on its way gets nothing. */
export function forestall(shelf: Shelf, claim: ClaimedGrant, now: Instant): Step<Tokens> {
  return { shelf: close(shelf, [endedGrant(claim, now)]), answer: 0 };
}

/**
 * Moves the grant's end to one lease from now, but not past the time by which the operator wants it back. Answers the
 * seconds that are left.
 */
export function renew(shelf: Shelf, grant: OpenGrant, now: Instant): Step<number> {
  const { id, expiresAt, terms, recall } = grant;
  if (expiresAt === undefined || terms.leaseSeconds === undefined) {
    throw new PoolProblem('no-lease', `renewing grant ${id}: it has no end, so there is nothing to renew`);
  }
  const latest = recall?.by ?? Infinity;
  if (expiresAt >= latest) {
    throw new PoolProblem('recalled', `renewing grant ${id}: it was recalled; give it back before it ends`);
  }
  // A clock that was set back must not make the lease shorter.
  const renewedAt = Math.max(expiresAt, Math.min(now + terms.leaseSeconds * 1000, latest));
  return { shelf: replaceOpen(shelf, { ...grant, expiresAt: renewedAt }), answer: (renewedAt - now) / 1000 };
}

/** The operator asks for the grant. It stays lent until the site gives it back or its lease ends. */
export function recall(
  shelf: Shelf,
  grant: OpenGrant,
  withinSeconds: number | undefined,
  now: Instant,
): Step<OpenGrant> {
  const recalled = { ...grant, recall: withinSeconds === undefined ? {} : { by: now + withinSeconds * 1000 } };
  return { shelf: replaceOpen(shelf, recalled), answer: recalled };
}
