import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';
import type { KeyList, ListedKey } from './keys.ts';
import { CallRefused } from './refusal.ts';

/** The listed key that a token or document (compact JWS) of this `typ` claims to be signed with. Throws `CallRefused`. */
export function findKey(jws: string, typ: string, keys: KeyList): ListedKey {
  const header = decodeHeader(jws);
  if (header.alg !== 'EdDSA') throw new CallRefused('bad-signature', 'the algorithm must be EdDSA');
  if (header.typ !== typ) throw new CallRefused('malformed', `the header's "typ" must be "${typ}"`);
  if (typeof header.kid !== 'string') throw new CallRefused('malformed', 'the header has no "kid"');
  const key = keys.find(header.kid);
  if (key === undefined) {
    throw new CallRefused('unknown-key', "the key is not in the receiver's key list; add its public half there");
  }
  return key;
}

function decodeHeader(jws: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(jws);
  } catch {
    throw new CallRefused('malformed', 'not a compact JWS');
  }
}
