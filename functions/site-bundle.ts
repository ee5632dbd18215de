/** The site file as the functions read it: one JSON document in a layer beside their code, made when they are deployed. */
import { readFile } from 'node:fs/promises';
import type { AddressRules } from '../shared/adapters/http/inward-address.ts';
import type { FixedResource } from '../shared/config/derive.ts';
import type { LoadedSite } from '../shared/config/load.ts';
import type { ProviderAuth } from '../shared/config/provider.ts';
import type { Delivery } from '../shared/config/schema.ts';
import type { SitePolicy } from '../shared/domain/model.ts';
import { relayUrl } from '../shared/relay/relay-transport.ts';

export interface SiteBundle {
  readonly policy: SitePolicy;
  readonly policyDigest: string;
  readonly fixed: readonly FixedResource[];
  readonly delivery: Delivery;
  readonly controllerUrl: string;
  readonly providers: readonly ProviderAddress[];
  readonly addressRules: AddressRules;
}

export interface ProviderAddress {
  readonly name: string;
  readonly url: string;
  readonly auth?: ProviderAuth;
}

/** Where a run on one machine serves the parts that the site file leaves to whoever runs it. */
export interface Addresses {
  readonly controllerUrl?: string;
  readonly providerUrls?: ReadonlyMap<string, string>;
}

/** Neither the site file nor whoever runs the site says where a part is served. */
export class AddressMissing extends Error {
  override readonly name = 'AddressMissing';

  constructor(what: string) {
    super(`preparing the site: ${what} has no url in the site file; add it`);
  }
}

export const deliveryOf = ({ file: { controller } }: LoadedSite): Delivery => controller?.delivery ?? 'push';

/** `local`: of a run on one machine; without it the site is deployed. Throws `AddressMissing`. */
export function siteBundle(site: LoadedSite, local?: Addresses): SiteBundle {
  const { policy, policyDigest, fixed, file } = site;
  const delivery = deliveryOf(site);
  const ours = delivery === 'pull' ? relayUrl(policy.site) : local?.controllerUrl;
  const controllerUrl = ours ?? file.controller?.url;
  if (controllerUrl === undefined) throw new AddressMissing('the controller');
  const providers = file.providers.map(({ name, url, auth }): ProviderAddress => {
    const ours = local?.providerUrls?.get(name);
    if (ours !== undefined) return { name, url: ours };
    if (url === undefined) throw new AddressMissing(`the provider ${name}`);
    return { name, url, ...(auth === undefined ? {} : { auth }) };
  });
  const addressRules = { loopback: local !== undefined, allowed: file.allowAddresses ?? [] };
  return { policy, policyDigest, fixed, delivery, controllerUrl, providers, addressRules };
}

/** It was made and checked by `siteBundle`, so it is only read. */
export async function readSiteBundle(path: string): Promise<SiteBundle> {
  const bundle: SiteBundle = JSON.parse(await readFile(path, 'utf8'));
  return bundle;
}
