import { Hono } from 'hono';
import * as z from 'zod';
import type { Route } from '../../functions/manifest.ts';
import type { Credentials } from '../../shared/adapters/provider/iam-signer.ts';
import { listen } from '../../shared/adapters/http/server.ts';
import { gatewayApp, honoPath } from '../../shared/local/gateway.ts';
import { iamGateway } from '../adapters/provider/iam-gateway.ts';
import { region } from './aws.ts';
import type { DeployedRoute } from './deployed.ts';

export interface ServedApiOptions {
  readonly routes: readonly DeployedRoute[];
  readonly invoke: (arn: string, event: unknown) => Promise<unknown>;
  /** Whose signatures the routes take that authenticate by IAM. */
  readonly known: () => Promise<readonly Credentials[]>;
}

/** A deployed HTTP API, served here. */
export async function serveApi({ routes, invoke, known }: ServedApiOptions) {
  const app = new Hono();
  const made = routes.map((route) => ({ ...route, route: routeOf(route) }));
  for (const { authorization, route } of made)
    if (authorization === 'AWS_IAM') app.on(route.method, honoPath(route), iamGateway(region, known));
  const functions = made.map(({ target, route }) => ({ name: target, routes: [route] }));
  app.route('/', gatewayApp(functions, invoke));
  return listen(app, 0, '127.0.0.1');
}

function routeOf({ key, authorization }: DeployedRoute): Route {
  const [method, path = ''] = key.split(' ');
  return {
    method: z.enum(['GET', 'PUT', 'POST', 'DELETE']).parse(method),
    path,
    authentication: authorization === 'NONE' ? 'function' : 'platform',
  };
}
