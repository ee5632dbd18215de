/** Ports for the functions, from what their environment names. Each function asks for those it needs and no others. */
import { DynamoLedgerReader } from '../shared/adapters/dynamodb/ledger-reader.ts';
import { DynamoLedgerStore } from '../shared/adapters/dynamodb/ledger-store.ts';
import { dynamoClient } from '../shared/adapters/dynamodb/client.ts';
import { DynamoRelayStore } from '../shared/adapters/dynamodb/relay.ts';
import { HttpController, HttpTotalReceiver } from '../shared/adapters/controller/http-controller.ts';
import { EventBridgeEvents, eventBridgeClient } from '../shared/adapters/eventbridge/events.ts';
import { HttpClient } from '../shared/adapters/http/client.ts';
import { outwardFetch } from '../shared/adapters/http/outward-fetch.ts';
import { assumedRole } from '../shared/adapters/provider/assumed-role.ts';
import { HttpProvider } from '../shared/adapters/provider/http-provider.ts';
import { IamSigner } from '../shared/adapters/provider/iam-signer.ts';
import { loadSigningKey, type SigningKey } from '../shared/adapters/signing/keys.ts';
import { readJsonSecret } from '../shared/adapters/secrets/secret.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import type { Controller, Provider, TotalReceiver } from '../shared/ports.ts';
import { relayTransport } from '../shared/relay/relay-transport.ts';
import { required, requiredJson, type Host } from './host.ts';
import { readSiteBundle, type SiteBundle } from './site-bundle.ts';

/**
 * Three passes may fail to renew before another provisioner takes over. It outlasts a pass and the signed calls that it
 * has sent, so that nothing of a former owner arrives once another has begun.
 */
export const leaseSeconds = 240;
/** A party that answers later than this is asked again in the next pass. */
const timeoutMilliseconds = 8_000;

/** `ESR_SITE_KEY` reads demand and borrows; `ESR_PROVISIONER_KEY` signs totals. */
export type KeyVariable = 'ESR_SITE_KEY' | 'ESR_PROVISIONER_KEY';

export function siteOf({ environment }: Host): Promise<SiteBundle> {
  return readSiteBundle(required(environment, 'ESR_SITE_FILE'));
}

export function ledgerOf({ environment }: Host, { policy }: SiteBundle): DynamoLedgerStore {
  const table = required(environment, 'ESR_TABLE');
  return new DynamoLedgerStore({ client: dynamoClient(environment), table, site: policy.site });
}

/** For functions that change nothing. */
export function ledgerReaderOf({ environment }: Host, { policy }: SiteBundle): DynamoLedgerReader {
  const table = required(environment, 'ESR_TABLE');
  return new DynamoLedgerReader({ client: dynamoClient(environment), table, site: policy.site });
}

export function eventsOf({ environment }: Host, { policy }: SiteBundle): EventBridgeEvents {
  const bus = required(environment, 'ESR_BUS');
  return new EventBridgeEvents({ client: eventBridgeClient(environment), bus, site: policy.site });
}

/**
 * The key of that role, a private JWK: in the variable itself on one machine; deployed, in the secret of Secrets Manager
 * that `<variable>_SECRET` names, so that no configuration that people may read holds a private key.
 */
export async function keyOf({ environment }: Host, variable: KeyVariable): Promise<SigningKey> {
  const secret = environment[`${variable}_SECRET`];
  return loadSigningKey(
    secret === undefined ? requiredJson(environment, variable) : await readJsonSecret(environment, secret),
  );
}

export function relayOf({ environment }: Host, { policy }: SiteBundle): DynamoRelayStore {
  const table = required(environment, 'ESR_TABLE');
  return new DynamoRelayStore({ client: dynamoClient(environment), table, site: policy.site });
}

export function controllerOf(host: Host, bundle: SiteBundle, key: SigningKey): Controller {
  const { environment, clock } = host;
  return new HttpController({
    client: controllerClient(host, bundle, key),
    url: bundle.controllerUrl,
    site: bundle.policy.site,
    // A deployment is known by its table, with account and region: one that is restored from a backup, or stands by in
    // another region, has another, and so another epoch.
    holder: required(environment, 'ESR_HOLDER'),
    ttlSeconds: leaseSeconds,
    clock,
  });
}

/** `key` signs the totals and the calls that bring them. */
export function receiverOf(host: Host, bundle: SiteBundle, key: SigningKey): TotalReceiver {
  const { controllerUrl: url, policy } = bundle;
  return new HttpTotalReceiver({ client: controllerClient(host, bundle, key), url, site: policy.site, key });
}

function controllerClient(host: Host, bundle: SiteBundle, key: SigningKey): HttpClient {
  const { site } = bundle.policy;
  const options = { key, subject: site, audience: site, timeoutMilliseconds };
  if (bundle.delivery === 'push') return new HttpClient({ ...options, transport: outwardFetch(bundle.addressRules) });
  // Signed calls live by real time, whatever the host's clock says.
  const relay = { store: relayOf(host, bundle), clock: systemClock, timeoutMilliseconds };
  return new HttpClient({ ...options, transport: relayTransport(relay) });
}

export function providersOf(
  { environment }: Host,
  { providers, addressRules, policy: { site } }: SiteBundle,
  key: SigningKey,
): ReadonlyMap<string, Provider> {
  const transport = outwardFetch(addressRules);
  return new Map(
    providers.map(({ name, url, auth }) => {
      const platform = auth && new IamSigner({ ...auth, obtain: assumedRole(auth, site, environment) });
      const signing = { key, subject: site, audience: name, ...(platform === undefined ? {} : { platform }) };
      return [
        name,
        new HttpProvider({ name, client: new HttpClient({ ...signing, timeoutMilliseconds, transport }), url, site }),
      ];
    }),
  );
}
