import type { MiddlewareHandler } from 'hono';
import { every } from 'hono/combine';
import { callTokenHeader } from '../../contracts/common.ts';
import { CallRefused, type Caller, type CallVerifier } from '../signing/call-token.ts';
import { isOfSite, type Role } from '../signing/keys.ts';
import { limitBody } from './limit-body.ts';
import { problemAnswer, sentenceOf } from './problems.ts';

/** What the context of an authenticated request holds. */
export interface CallerEnv {
  Variables: { caller: Caller };
}

const mebibyte = 1024 * 1024;

/**
 * Lets only proven callers through and sets `caller`. Answers 401 to others, 413 to a longer body. The body is kept, so
 * that handlers can read it again.
 */
export function authenticate(verifier: CallVerifier, maxRequestBytes = mebibyte): MiddlewareHandler<CallerEnv> {
  return every(limitBody(maxRequestBytes), async (c, next) => {
    const bearer = c.req.header(callTokenHeader) ?? c.req.header('authorization') ?? '';
    const token = /^Bearer +(\S+)$/i.exec(bearer)?.[1] ?? '';
    const body = new Uint8Array(await c.req.arrayBuffer());
    try {
      c.set('caller', await verifier.verify(token, { method: c.req.method, url: c.req.url, body }));
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      c.header('www-authenticate', 'Bearer');
      return problemAnswer(c, 401, error.code, 'Not authenticated', sentenceOf(error));
    }
    return next();
  });
}

/** Behind `authenticate`: answers 403 to the keys of other sites, which a list may hold that several sites share. */
export function requireOwnSite(site: string): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    const { role, subject, kid } = c.get('caller');
    if (!isOfSite(role) || subject === site) return next();
    const detail = `Key ${kid} speaks for site ${subject}; this is ${site}.`;
    return problemAnswer(c, 403, 'wrong-site', 'Not allowed', detail);
  };
}

/** Behind `authenticate`: lets only callers of these roles through and answers 403 to others. */
export function requireRole(...roles: Role[]): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    const { role, kid } = c.get('caller');
    if (roles.includes(role)) return next();
    const detail = `Key ${kid} has the role ${role}; this needs ${roles.join(' or ')}.`;
    return problemAnswer(c, 403, 'wrong-role', 'Not allowed', detail);
  };
}
