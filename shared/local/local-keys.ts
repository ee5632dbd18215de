/** Keys of a site on one machine, made with its first start and kept in its data directory. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { newKeyPair, type Role } from '../adapters/signing/keys.ts';
import { writeDurably } from './write-durably.ts';

const localRoles = ['provisioner', 'site', 'controller', 'worker', 'reporter', 'operator'] as const satisfies Role[];
export type LocalRole = (typeof localRoles)[number];

export interface LocalKeys {
  /** Private keys. */
  readonly own: Readonly<Record<LocalRole, JWK>>;
  /** What every receiver of the site knows: the public keys with their roles. */
  readonly keyList: object;
}

export async function localKeys(directory: string, site: string): Promise<LocalKeys> {
  const file = join(directory, 'keys.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return JSON.parse(text) as LocalKeys;
  const pairs = await Promise.all(localRoles.map(async (role) => ({ role, ...(await newKeyPair()) })));
  const keys: LocalKeys = {
    own: Object.fromEntries(pairs.map(({ role, privateJwk }) => [role, privateJwk])) as Record<LocalRole, JWK>,
    keyList: { keys: pairs.map(({ role, publicJwk }) => ({ role, subject: site, jwk: publicJwk })) },
  };
  await writeDurably(file, JSON.stringify(keys), 0o600);
  return keys;
}
