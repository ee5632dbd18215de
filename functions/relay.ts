import { CallVerifier } from '../shared/adapters/signing/call-token.ts';
import { KeyList } from '../shared/adapters/signing/keys.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import { relayApp } from '../shared/relay/app.ts';
import { deployed, httpHandler, requiredJson, type MakeHandler } from './host.ts';
import { relayOf, siteOf } from './wiring.ts';

/** A controller that can't be reached from outside fetches the site's calls here, and answers them. */
export const make: MakeHandler = async (host) => {
  const bundle = await siteOf(host);
  const { site } = bundle.policy;
  const keys = await KeyList.parse(requiredJson(host.environment, 'ESR_CONTROLLER_KEYS'));
  const verifier = new CallVerifier({ keys, audience: site });
  // The clock of those who wait for the answers.
  return httpHandler(relayApp({ site, verifier, store: relayOf(host, bundle), clock: systemClock, log: host.log }));
};

export const handler = deployed(make);
