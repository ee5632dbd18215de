import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { getRequestListener } from '@hono/node-server';

/** How long requests in progress may go on after `close`. */
const closeGraceMilliseconds = 5_000;

/** Another process listens there already. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse';
  readonly port: number;

  constructor(port: number, host: string) {
    super(`listening on ${host}:${port}: the port is in use; stop the program that has it or choose another port`);
    this.port = port;
  }
}

/** What a server shows for itself, both in PEM. */
export interface Tls {
  readonly certificate: string;
  readonly key: string;
}

/** Port 0 takes a free one; `url` says which. It may be closed twice. Throws `PortInUse`. */
export async function listen(
  app: { fetch(request: Request, env: object): Response | Promise<Response> },
  port: number,
  host: string,
  tls?: Tls,
): Promise<{ url: string; close(): Promise<void> }> {
  const answer = getRequestListener((request, env) => app.fetch(request, env));
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => void answer(incoming, outgoing);
  const server =
    tls === undefined ? createServer(listener) : createTlsServer({ cert: tls.certificate, key: tls.key }, listener);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' ? new PortInUse(port, host) : error;
  }
  let closed: Promise<void> | undefined;
  return { url: urlOf(server, tls === undefined ? 'http' : 'https', host), close: () => (closed ??= close(server)) };
}

function urlOf(server: Server, scheme: string, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('listening: the server has no TCP address');
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // `server.close` lets go of the connections that are idle now; those that are busy become idle later.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const grace = setTimeout(() => server.closeAllConnections(), closeGraceMilliseconds);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}
