import type { MiddlewareHandler } from 'hono';
import type { CallerEnv } from './authenticate.ts';
import type { Log } from '../../ports.ts';

/** Logs every call that is answered 401 or 403, with the reason that the caller was given. */
export function logRefusals(log: Log): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    await next();
    if (c.res.status !== 401 && c.res.status !== 403) return;
    const { method, path } = c.req;
    log.warn('refused a call', { method, path, caller: c.get('caller'), problem: await c.res.clone().json() });
  };
}
