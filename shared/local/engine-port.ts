import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** The port on which the server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new TypeError('finding the port of a server: it does not listen on a TCP port');
  return address.port;
}

/** A port of 127.0.0.1 on which nobody listens now; somebody may a moment later. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}
