/** Ed25519 keys as JWKs (RFC 8037). A key's id is its RFC 7638 thumbprint, so nobody has to agree on names for keys. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import * as z from 'zod';
import { identifier, siteName } from '../../contracts/common.ts';

export const roles = [
  /** Signs totals. Held by push-total alone. */
  'provisioner',
  /** Reads demand, takes leases and borrows from providers. Held by reconcile and status. */
  'site',
  /** Sends the counts that the licence server itself makes. */
  'reporter',
  /** Submits jobs to the reference cluster. */
  'worker',
  /** Announces demand to the site's API. */
  'controller',
  /** A person or tool that may read, and freeze a site's borrowing. */
  'operator',
] as const;
/** What the holder of a key may do; the receiver's key list says it, never the sender. */
export type Role = (typeof roles)[number];

export interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

export interface ListedKey extends SigningKey {
  readonly role: Role;
  /** The site's name for provisioner, site and controller keys, else a free name. */
  readonly subject: string;
}

/** A key or key list cannot be used. The message names the fault and never holds key material. */
export class KeyInvalid extends Error {
  override readonly name = 'KeyInvalid';
}

const base64url32 = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url (43 characters)');
const ed25519Public = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: base64url32,
  d: z.never('is a private key; list its public half, without the member "d"').optional(),
  kid: z.string().optional(),
});
const ed25519Private = ed25519Public.extend({ d: base64url32 });

const keyListEntry = z
  .object({
    role: z.enum(roles),
    subject: identifier,
    jwk: ed25519Public,
  })
  .refine((entry) => !isOfSite(entry.role) || siteName.safeParse(entry.subject).success, {
    path: ['subject'],
    message: "must be the site's name (1 to 64 letters, digits, _ and -), as keys of this role belong to a site",
  });
const keyList = z.object({ keys: z.array(keyListEntry) });

/** Whether keys of this role carry the name of a site as their subject. */
export function isOfSite(role: Role): boolean {
  return role === 'provisioner' || role === 'site' || role === 'controller';
}

export async function newKeyPair(): Promise<{ privateJwk: JWK; publicJwk: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  return { privateJwk: { ...(await exportJWK(privateKey)), kid }, publicJwk: { ...publicJwk, kid } };
}

/** Throws `KeyInvalid` when it is no Ed25519 private JWK. */
export async function loadSigningKey(jwk: unknown): Promise<SigningKey> {
  return importKey(
    parse(ed25519Private, jwk, 'loading a signing key (an Ed25519 private JWK)'),
    'loading a signing key',
  );
}

/** The keys that a receiver trusts. Several keys of one role and subject are valid at once, so that keys can be rotated. */
export class KeyList {
  readonly #keys: ReadonlyMap<string, ListedKey>;

  private constructor(keys: ReadonlyMap<string, ListedKey>) {
    this.#keys = keys;
  }

  /** Of `{ keys: [{ role, subject, jwk }] }`. Throws `KeyInvalid`. */
  static async parse(json: unknown): Promise<KeyList> {
    const keys = new Map<string, ListedKey>();
    for (const [index, { role, subject, jwk }] of parse(keyList, json, 'reading a key list').keys.entries()) {
      const key = await importKey(jwk, `reading a key list: keys[${index}]`);
      // One key under two entries would give its holder both roles.
      if (keys.has(key.kid)) {
        throw new KeyInvalid(`reading a key list: key ${key.kid} is listed twice; remove one of the entries`);
      }
      keys.set(key.kid, { ...key, role, subject });
    }
    return new KeyList(keys);
  }

  get keys(): readonly ListedKey[] {
    return [...this.#keys.values()];
  }

  find(kid: string): ListedKey | undefined {
    return this.#keys.get(kid);
  }
}

function parse<T>(schema: z.ZodType<T>, json: unknown, doing: string): T {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  // The faults name what was expected and where, never what was found: that may be a private key.
  throw new KeyInvalid(`${doing}: ${z.prettifyError(result.error)}`);
}

async function importKey(
  jwk: { x: string; d?: string | undefined; kid?: string | undefined },
  doing: string,
): Promise<SigningKey> {
  const publicHalf = { kty: 'OKP', crv: 'Ed25519', x: jwk.x };
  const kid = await calculateJwkThumbprint(publicHalf);
  if (jwk.kid !== undefined && jwk.kid !== kid) {
    throw new KeyInvalid(`${doing}: its kid is not its RFC 7638 thumbprint ${kid}; correct it or leave it out`);
  }
  try {
    const key = await importJWK({ ...publicHalf, ...(jwk.d === undefined ? {} : { d: jwk.d }) }, 'EdDSA');
    if (key instanceof Uint8Array) throw new TypeError('not an asymmetric key');
    return { kid, key };
  } catch {
    // The cause is left out: an importer's message may quote what it was given.
    throw new KeyInvalid(`${doing}: key ${kid} is damaged; make a new one with "esr keys new"`);
  }
}
