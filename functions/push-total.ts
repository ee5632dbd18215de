import { HttpTotalReceiver } from '../shared/adapters/controller/http-controller.ts';
import { HttpClient } from '../shared/adapters/http/client.ts';
import { pushTotals } from '../shared/push-totals.ts';
import { deployed, type MakeHandler } from './host.ts';
import { keyOf, ledgerOf, siteOf } from './wiring.ts';

/** When a total has changed and every minute: pushes what the controller has not confirmed. The only holder of the provisioner's key. */
export const make: MakeHandler = async (host) => {
  const bundle = await siteOf(host);
  const { site } = bundle.policy;
  const key = await keyOf(host, 'ESR_PROVISIONER_KEY');
  const client = new HttpClient({ key, subject: site, audience: site });
  const receiver = new HttpTotalReceiver({ client, url: bundle.controllerUrl, site, key });
  const ports = { ledger: ledgerOf(host, bundle), receiver, clock: host.clock, log: host.log };
  return () => pushTotals(ports);
};

export const handler = deployed(make);
