/**
 * API Gateway on one machine: takes HTTP requests, hands them as HTTP API events (payload format 2.0) to the functions
 * whose route they match, and turns the results into answers.
 */
import { Hono, type Context } from 'hono';
import { handleErrors, limitBody, notFound } from '../adapters/http/server.ts';
import type { FunctionSpec, Route } from '../../functions/manifest.ts';

/** API Gateway's own quota for a request. */
const maxRequestBytes = 10 * 1024 * 1024;

interface GatewayResult {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

export function gatewayApp(
  functions: readonly Pick<FunctionSpec, 'name' | 'routes'>[],
  invoke: (name: string, event: unknown) => Promise<unknown>,
): Hono {
  const app = new Hono();
  app.onError(handleErrors);
  app.notFound(notFound);
  app.use(limitBody(maxRequestBytes));
  for (const { name, routes } of functions) {
    for (const route of routes) {
      app.on(route.method, honoPath(route), async (c) => answer(await invoke(name, await gatewayEvent(c, route))));
    }
  }
  return app;
}

/** `/v1/{name}/x` is `/v1/:name/x`, and `/v1/{path+}` is `/v1/*`. */
export function honoPath({ path }: Route): string {
  return path.replace(/\{\w+\+\}/g, '*').replace(/\{(\w+)\}/g, ':$1');
}

async function gatewayEvent(c: Context, { method, path }: Route): Promise<object> {
  const url = new URL(c.req.url);
  const body = Buffer.from(await c.req.arrayBuffer());
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers: Object.fromEntries(c.req.raw.headers),
    requestContext: {
      domainName: url.host,
      http: { method: c.req.method, path: url.pathname, protocol: 'HTTP/1.1' },
      stage: '$default',
    },
    ...(body.length > 0 ? { body: body.toString('base64') } : {}),
    isBase64Encoded: body.length > 0,
  };
}

/** Of the functions' HTTP applications, which answer in this form. */
function answer(result: unknown): Response {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only functions with routes are called here
  const { statusCode, headers = {}, body, isBase64Encoded } = result as GatewayResult;
  const content = body === undefined ? null : isBase64Encoded ? Buffer.from(body, 'base64') : body;
  return new Response(statusCode === 304 || statusCode === 204 ? null : content, { status: statusCode, headers });
}
