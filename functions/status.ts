import { statusApp } from '../shared/status/app.ts';
import { SiteStatus } from '../shared/status/site-status.ts';
import { deployed, httpHandler, type MakeHandler } from './host.ts';
import { controllerOf, keyOf, ledgerReaderOf, siteOf } from './wiring.ts';

/** What people see; it changes nothing. */
export const make: MakeHandler = async (host) => {
  const bundle = await siteOf(host);
  const controller = controllerOf(host, bundle, await keyOf(host, 'ESR_SITE_KEY'));
  const { clock, log } = host;
  const status = new SiteStatus({ store: ledgerReaderOf(host, bundle), controller, ...bundle, clock, log });
  return httpHandler(statusApp(status));
};

export const handler = deployed(make);
