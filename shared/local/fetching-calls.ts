import { RelayClient } from '../../onprem/relay-client.ts';
import { loadSigningKey } from '../adapters/signing/keys.ts';
import type { Log } from '../ports.ts';
import type { LocalSite } from './local-site.ts';

/** The site with a controller that is not called, but fetches what the functions ask of it. */
export async function fetchingCalls(local: LocalSite, site: string, log: Log): Promise<LocalSite> {
  const relay = new RelayClient({
    site,
    relay: {
      url: `${local.functions.url}/v1/relay`,
      key: await loadSigningKey(local.keys.own.controller),
      // Whoever stops the site waits for as long.
      waitSeconds: 1,
      everySeconds: 0,
    },
    answer: (request) => local.controller.answer(request),
    log,
  });
  relay.start();
  return {
    ...local,
    async close() {
      await relay.stop();
      await local.close();
    },
  };
}
