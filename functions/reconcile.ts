import { randomUUID } from 'node:crypto';
import { reconcile } from '../shared/reconcile.ts';
import { deployed, type MakeHandler } from './host.ts';
import { controllerOf, eventsOf, keyOf, ledgerOf, providersOf, siteOf } from './wiring.ts';

/** Every minute and whenever jobs wait: one pass over the site. */
export const make: MakeHandler = async (host) => {
  const site = await siteOf(host);
  const key = await keyOf(host, 'ESR_SITE_KEY');
  const ports = {
    ledger: ledgerOf(host, site),
    controller: controllerOf(host, site, key),
    providers: providersOf(host, site, key),
    clock: host.clock,
    events: eventsOf(host, site),
    log: host.log,
    newPassId: randomUUID,
    listedAt: new Map<string, number>(),
  };
  return () => reconcile(ports, site);
};

export const handler = deployed(make);
