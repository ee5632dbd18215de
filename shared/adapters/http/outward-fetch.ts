import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Transport } from './client.ts';
import { HttpError } from './errors.ts';
import { hostOf, inwardKind, type AddressRules } from './inward-address.ts';

/**
 * `fetch`, except to inward addresses and to names that lead to one. Throws an `HttpError` of the kind `inward` before
 * anything is sent. A name that leads elsewhere a moment later could still slip through; what it would get is a call that
 * holds no secret and is signed for another party, and its answer is shown to nobody.
 */
export function outwardFetch(rules: AddressRules): Transport {
  return async (url, call) => {
    const host = hostOf(url);
    for (const address of await addressesOf(host, call.signal)) {
      const kind = inwardKind(address, rules);
      if (kind === undefined) continue;
      const fault = `not sent, as ${host === address ? host : `${host} leads to ${address}, which`} is ${kind}; correct the address, or name ${address} in allowAddresses of the site file`;
      throw new HttpError('inward', { method: call.method, url }, fault);
    }
    return fetch(url, call);
  };
}

/** Rejects when `signal` is aborted, as the system's own look-up has no limit that could be set. */
async function addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const found = await Promise.race([lookup(host, { all: true }), aborted]);
  return found.map(({ address }) => address);
}
