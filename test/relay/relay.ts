import { onTestFinished } from 'vitest';
import { RelayClient } from '../../onprem/relay-client.ts';
import { DynamoRelayStore } from '../../shared/adapters/dynamodb/relay.ts';
import type { Transport } from '../../shared/adapters/http/client.ts';
import { listen } from '../../shared/adapters/http/server.ts';
import { CallVerifier } from '../../shared/adapters/signing/call-token.ts';
import { systemClock } from '../../shared/adapters/system-clock.ts';
import type { Log } from '../../shared/ports.ts';
import { relayApp } from '../../shared/relay/app.ts';
import { relayTransport } from '../../shared/relay/relay-transport.ts';
import type { TestTable } from '../adapters/dynamodb/engines.ts';
import { keyListOf, type Party } from '../adapters/signing/party.ts';

export interface RelayParts {
  readonly store: DynamoRelayStore;
  readonly transport: Transport;
  /** Ends in /v1/relay. */
  readonly url: string;
}

/** The relay of the site munich, which nobody fetches from yet, until the test is over. */
export async function startRelay(
  table: TestTable,
  { controller, log }: { controller: Party; log: Log },
): Promise<RelayParts> {
  const clock = systemClock;
  const store = new DynamoRelayStore(table.newSite());
  const verifier = new CallVerifier({ keys: await keyListOf(controller), audience: 'munich' });
  const app = relayApp({ site: 'munich', verifier, store, clock, log });
  const underWay: Promise<Response>[] = [];
  const fetch = (request: Request): Promise<Response> => {
    const answer = Promise.resolve(app.fetch(request));
    underWay.push(answer);
    return answer;
  };
  const server = await listen({ fetch }, 0, '127.0.0.1');
  onTestFinished(async () => {
    await server.close();
    // Those that wait for calls go on without their caller.
    await Promise.all(underWay);
  });
  const transport = relayTransport({ store, clock, timeoutMilliseconds: 8_000 });
  return { store, transport, url: `${server.url}/v1/relay` };
}

/** A controller's side that fetches the calls, until it is stopped or the test is over. */
export function startFetching(
  { url }: RelayParts,
  options: { controller: Party; log: Log; answer: (request: Request) => Promise<Response> },
): RelayClient {
  const { controller, log, answer } = options;
  const relay = { url, key: controller.key, waitSeconds: 1, everySeconds: 0 };
  const client = new RelayClient({ site: 'munich', relay, answer, log });
  client.start();
  onTestFinished(() => client.stop());
  return client;
}
