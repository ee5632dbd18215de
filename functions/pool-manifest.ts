/** The one function of a pool's deployment, as the manifest has those of a site's. */
import type { FunctionSpec } from './manifest.ts';

/** The operator's alone; the role that a site assumes may not call it. */
export const recallRoute = { method: 'POST', path: '/v1/grants/{id}/recall', authentication: 'platform' } as const;

/** Of the provider contract. */
export const siteRoutes = [
  { method: 'GET', path: '/v1/describe', authentication: 'platform' },
  { method: 'GET', path: '/v1/grants', authentication: 'platform' },
  { method: 'PUT', path: '/v1/grants/{id}', authentication: 'platform' },
  { method: 'GET', path: '/v1/grants/{id}', authentication: 'platform' },
  { method: 'POST', path: '/v1/grants/{id}/return', authentication: 'platform' },
  { method: 'POST', path: '/v1/grants/{id}/renew', authentication: 'platform' },
] as const;

export const poolFunction: FunctionSpec = {
  name: 'pool',
  entry: 'pool.ts',
  load: () => import('./pool.ts'),
  events: [],
  routes: [...siteRoutes, recallRoute],
  timeoutSeconds: 20,
  memoryMegabytes: 512,
  tableActions: ['GetItem', 'Query', 'PutItem'],
  puts: [],
};
