import { pushTotals } from '../shared/push-totals.ts';
import { deployed, type MakeHandler } from './host.ts';
import { keyOf, ledgerOf, receiverOf, siteOf } from './wiring.ts';

/** Whenever a pass leaves totals unconfirmed: pushes them. The only holder of the provisioner's key. */
export const make: MakeHandler = async (host) => {
  const bundle = await siteOf(host);
  const receiver = receiverOf(host, bundle, await keyOf(host, 'ESR_PROVISIONER_KEY'));
  const ports = { ledger: ledgerOf(host, bundle), receiver, clock: host.clock, log: host.log };
  return () => pushTotals(ports);
};

export const handler = deployed(make);
