import type { JWK } from 'jose';
import {
  KeyList,
  loadSigningKey,
  newKeyPair,
  type Role,
  type SigningKey,
} from '../../../shared/adapters/signing/keys.ts';

/** Somebody who signs, with the entry that a receiver's key list has for them. */
export interface Party {
  readonly subject: string;
  readonly key: SigningKey;
  readonly privateJwk: JWK;
  readonly entry: { role: Role; subject: string; jwk: JWK };
}

export async function newParty(role: Role, subject: string): Promise<Party> {
  const { privateJwk, publicJwk } = await newKeyPair();
  return { subject, privateJwk, key: await loadSigningKey(privateJwk), entry: { role, subject, jwk: publicJwk } };
}

export async function keyListOf(...parties: Party[]): Promise<KeyList> {
  return KeyList.parse({ keys: parties.map((party) => party.entry) });
}
