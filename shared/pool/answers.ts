/** What a site is told of its grants, in the words of the provider contract. */
import type { GrantAnswer } from '../contracts/provider.ts';
import type { Instant } from '../domain/model.ts';
import type { ClosedGrant, OpenGrant } from './shelf.ts';

/** `revision` is that of the description in force now: where it is new to the site, it reads the description again. */
export function grantAnswer(grant: OpenGrant | ClosedGrant, revision: string, now: Instant): GrantAnswer {
  const { id, site, resource } = grant;
  if (grant.state === 'refused') {
    const { state, reason, retryAfterSeconds } = grant;
    return { id, state, site, resource, reason, retryAfterSeconds };
  }
  if (grant.state === 'ended') return { id, state: 'ended', site, resource, endedAt: new Date(grant.at).toISOString() };
  const { tokens, terms, madeAt, expiresAt, recall } = grant;
  return {
    id,
    state: 'granted',
    site,
    resource,
    tokens,
    ageSeconds: secondsBetween(madeAt, now),
    terms,
    revision,
    ...(recall === undefined ? {} : { recalled: recalled(recall, now) }),
    ...(expiresAt === undefined ? {} : { expiresInSeconds: secondsBetween(now, expiresAt) }),
  };
}

function recalled({ by }: { readonly by?: Instant }, now: Instant): { withinSeconds?: number } {
  return by === undefined ? {} : { withinSeconds: secondsBetween(now, by) };
}

function secondsBetween(from: Instant, to: Instant): number {
  return Math.max(0, to - from) / 1000;
}
