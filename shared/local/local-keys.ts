/** Keys of a site on one machine, made with its first start and kept in its data directory. */
import { join } from 'node:path';
import type { JWK } from 'jose';
import { newKeyPair, type Role } from '../adapters/signing/keys.ts';
import { readKept } from './read-kept.ts';
import { writeDurably } from './write-durably.ts';

export interface LocalKeys {
  /** Private keys. */
  readonly own: Readonly<Record<Role, JWK>>;
  /** What every receiver of the site knows: the public keys with their roles. */
  readonly keyList: { readonly keys: readonly object[] };
}

/** One key of each role. Throws `FileUnusable`, `FileNotWritten`. */
export async function localKeys(directory: string, site: string): Promise<LocalKeys> {
  const file = join(directory, 'keys.json');
  const kept = await readKept<LocalKeys>(file);
  if (kept !== undefined) return kept;
  const listed: object[] = [];
  const make = async (role: Role): Promise<JWK> => {
    const { privateJwk, publicJwk } = await newKeyPair();
    listed.push({ role, subject: site, jwk: publicJwk });
    return privateJwk;
  };
  const own = {
    provisioner: await make('provisioner'),
    site: await make('site'),
    reporter: await make('reporter'),
    worker: await make('worker'),
    controller: await make('controller'),
    operator: await make('operator'),
  };
  const keys: LocalKeys = { own, keyList: { keys: listed } };
  await writeDurably(file, JSON.stringify(keys), 0o600);
  return keys;
}
