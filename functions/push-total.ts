import { pushTotals } from '../shared/push-totals.ts';
import { deployed, type MakeHandler } from './host.ts';
import { keyOf, ledgerOf, receiverOf, siteOf } from './wiring.ts';

/** When a total has changed and every minute: pushes what the controller has not confirmed. The only holder of the provisioner's key. */
export const make: MakeHandler = async (host) => {
  const bundle = await siteOf(host);
  const receiver = receiverOf(bundle, await keyOf(host, 'ESR_PROVISIONER_KEY'));
  const ports = { ledger: ledgerOf(host, bundle), receiver, clock: host.clock, log: host.log };
  return () => pushTotals(ports);
};

export const handler = deployed(make);
