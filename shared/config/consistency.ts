/**
 * The rules between the values of a site file. They read it as it was written, not as parsed, so that they also find
 * their faults where another value is wrong, and they pass over whatever is missing or malformed.
 */
import { isIP } from 'node:net';
import { hostOf, inwardKind } from '../adapters/http/inward-address.ts';
import { maxTokens, tokens } from '../contracts/common.ts';
import { maxResources } from '../contracts/controller.ts';
import { oneOf } from './nearest.ts';
import { isMap, toList, toMap } from './raw.ts';
import type { Path } from './yaml-tree.ts';

type RawMap = Readonly<Record<string, unknown>>;

export interface Inconsistency {
  readonly path: Path;
  /** `key`: it is the name itself that is wrong. */
  readonly at?: 'key';
  /** Absent: the value at the path. */
  readonly found?: string;
  readonly expected: string;
}

export function* inconsistencies(site: RawMap): Generator<Inconsistency> {
  yield* controllerFaults(site);
  yield* urlFaults(site);
  yield* providerFaults(site);
  yield* resourceFaults(site);
}

function* controllerFaults(site: RawMap): Generator<Inconsistency> {
  const controller = toMap(site.controller);
  if (controller.delivery !== 'pull' || !('url' in controller)) return;
  yield { path: ['controller', 'url'], at: 'key', found: 'an address', expected: 'none, as delivery is pull' };
}

/** Of the addresses that are called. Loopback is right on one machine; where a site is deployed each call refuses it. */
function* urlFaults(site: RawMap): Generator<Inconsistency> {
  const allowed = toList(site.allowAddresses).filter((address) => typeof address === 'string' && isIP(address) !== 0);
  const rules = { loopback: true, allowed: allowed.map(String) };
  const urls: (readonly [Path, unknown])[] = [
    [['controller', 'url'], toMap(site.controller).url],
    ...toList(site.providers).map((provider, index) => [['providers', index, 'url'], toMap(provider).url] as const),
  ];
  for (const [path, url] of urls) {
    if (typeof url !== 'string' || !URL.canParse(url)) continue;
    const { username, password, search, hash } = new URL(url);
    if (`${username}${password}${search}${hash}` !== '') {
      // What was found may be a secret.
      const found = 'a user, a password, a query or a fragment';
      yield { path, found, expected: 'scheme, host, port and path alone, as each call is signed' };
    }
    const host = hostOf(url);
    const kind = isIP(host) === 0 ? undefined : inwardKind(host, rules);
    if (kind === undefined) continue;
    yield { path, found: `${host}, which is ${kind}`, expected: 'an address of another host, or it in allowAddresses' };
  }
}

function* providerFaults(site: RawMap): Generator<Inconsistency> {
  const names = new Set<unknown>();
  for (const [index, provider] of toList(site.providers).map(toMap).entries()) {
    const path = ['providers', index];
    if (typeof provider.name === 'string' && names.has(provider.name)) {
      yield { path: [...path, 'name'], expected: 'a name that no other provider has' };
    }
    names.add(provider.name);
    if (Object.keys(provider).length > 0 && !('url' in provider) && !('offers' in provider)) {
      yield { path, found: 'neither url nor offers', expected: 'at least one of them' };
    }
    for (const [resource, offer] of Object.entries(toMap(provider.offers))) {
      yield* offerFaults(toMap(offer), [...path, 'offers', resource]);
      if (isMap(site.resources)) yield* lendingFaults(site.resources, resource, [...path, 'offers', resource]);
    }
  }
}

export function* offerFaults(offer: RawMap, path: Path): Generator<Inconsistency> {
  const capacity = count(offer.capacity);
  const maximum = count('maximum' in offer ? offer.maximum : offer.capacity);
  const block = count(offer.block);
  if (maximum !== undefined && capacity !== undefined && maximum > capacity) {
    yield { path: [...path, 'maximum'], expected: `at most the capacity, ${capacity}` };
  }
  if (block !== undefined && maximum !== undefined && block > 0 && maximum % block !== 0) {
    yield { path: [...path, 'block'], expected: `a divisor of the maximum, ${maximum}` };
  }
}

function* lendingFaults(resources: RawMap, name: string, path: Path): Generator<Inconsistency> {
  const known = Object.hasOwn(resources, name);
  if (known && 'elastic' in toMap(resources[name])) return;
  const found = known ? 'a resource that is not elastic' : 'a resource that the site lacks';
  const elastic = Object.keys(resources).filter((other) => 'elastic' in toMap(resources[other]));
  yield { path, at: 'key', found, expected: `an elastic resource: ${oneOf(elastic, name)}` };
}

function* resourceFaults(site: RawMap): Generator<Inconsistency> {
  const resources = toMap(site.resources);
  if (Object.hasOwn(resources, '__proto__')) {
    // zod leaves this key out of every record without a word.
    yield { path: ['resources', '__proto__'], at: 'key', found: 'a name that is reserved', expected: 'another name' };
  }
  const number = Object.keys(resources).length;
  if (number > maxResources) {
    yield { path: ['resources'], found: `${number} resources`, expected: `at most ${maxResources}` };
  }
  const providers = Array.isArray(site.providers) ? site.providers.map(toMap) : undefined;
  for (const [name, resource] of Object.entries(resources).map(([name, value]) => [name, toMap(value)] as const)) {
    if (!('elastic' in resource)) continue;
    const path = ['resources', name];
    if (resource.shared === false) {
      yield { path: [...path, 'shared'], expected: 'true, because the resource is elastic' };
    }
    const elastic = toMap(resource.elastic);
    yield* amountFaults(count(resource.total), elastic, [...path, 'elastic']);
    if (providers !== undefined) yield* sourceFaults(providers, name, elastic);
  }
}

function* amountFaults(owned: number | undefined, elastic: RawMap, path: Path): Generator<Inconsistency> {
  const maxBorrowed = count(elastic.maxBorrowed);
  const maxStep = count(elastic.maxStep);
  if (maxBorrowed === undefined) return;
  if (maxStep !== undefined && (maxStep > maxBorrowed || (maxStep === 0 && maxBorrowed > 0))) {
    yield { path: [...path, 'maxStep'], expected: `from 1 to maxBorrowed, ${maxBorrowed}` };
  }
  if (owned !== undefined && owned + maxBorrowed > maxTokens) {
    yield { path: [...path, 'maxBorrowed'], expected: `at most ${maxTokens} together with the total, ${owned}` };
  }
}

/** An elastic resource borrows from providers that exist, that offer it, and of which it may ask a whole block. */
function* sourceFaults(providers: readonly RawMap[], resource: string, elastic: RawMap): Generator<Inconsistency> {
  const names = providers.map((provider) => provider.name).filter((name) => typeof name === 'string');
  const step = count('maxStep' in elastic ? elastic.maxStep : elastic.maxBorrowed) ?? 0;
  for (const [index, name] of toList(elastic.providers).entries()) {
    if (typeof name !== 'string') continue;
    const path = ['resources', resource, 'elastic', 'providers', index];
    const provider = providers.find((provider) => provider.name === name);
    const block = count(toMap(toMap(provider?.offers)[resource]).block) ?? 0;
    if (toList(elastic.providers).indexOf(name) < index) {
      yield { path, expected: 'each provider once' };
    } else if (provider === undefined) {
      yield { path, expected: `the name of a provider: ${oneOf(names, name)}` };
    } else if (isMap(provider.offers) && !Object.hasOwn(provider.offers, resource)) {
      yield { path, found: `${name}, which does not offer ${resource}`, expected: 'a provider that offers it' };
    } else if (step > 0 && block > step) {
      yield { path, found: `${name}, which lends blocks of ${block}`, expected: `a block of at most maxStep, ${step}` };
    }
  }
}

function count(value: unknown): number | undefined {
  return tokens.safeParse(value).data;
}
