import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { KeyInvalid, KeyList, loadSigningKey, newKeyPair } from '../../../shared/adapters/signing/keys.ts';
import { keyListOf, newParty } from './party.ts';

async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof KeyInvalid)) throw new Error('it did not fail with KeyInvalid');
  return outcome;
}

describe('a new key pair', () => {
  it('has its RFC 7638 thumbprint as kid, and nothing private in its public half', async () => {
    const { privateJwk, publicJwk } = await newKeyPair();
    expect(publicJwk.kid).toBe(await calculateJwkThumbprint(publicJwk));
    expect(privateJwk.kid).toBe(publicJwk.kid);
    expect(Object.keys(publicJwk).sort()).toEqual(['crv', 'kid', 'kty', 'x']);
  });
});

describe('loading a signing key', () => {
  it('gives the key its thumbprint as kid when it states none', async () => {
    const { privateJwk, publicJwk } = await newKeyPair();
    const { kid: _, ...unnamed } = privateJwk;
    expect((await loadSigningKey(unnamed)).kid).toBe(publicJwk.kid);
  });

  it('refuses what is no Ed25519 private JWK, and says what it wants', async () => {
    const { publicJwk } = await newKeyPair();
    const elliptic = await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey);
    for (const jwk of [undefined, null, 'a string', {}, [], publicJwk, elliptic]) {
      expect((await failure(loadSigningKey(jwk))).message).toContain('Ed25519 private JWK');
    }
  });

  it('refuses a key whose two halves do not belong together', async () => {
    const [one, other] = [await newKeyPair(), await newKeyPair()];
    const { kid: _, ...mixed } = { ...one.privateJwk, x: other.publicJwk.x };
    expect((await failure(loadSigningKey(mixed))).message).toContain('damaged');
  });

  it('refuses a kid that is not the thumbprint', async () => {
    const { privateJwk, publicJwk } = await newKeyPair();
    const message = (await failure(loadSigningKey({ ...privateJwk, kid: 'mine' }))).message;
    expect(message).toContain(`thumbprint ${publicJwk.kid}`);
  });

  it('never puts key material into its error', async () => {
    const { privateJwk } = await newKeyPair();
    const secret = String(privateJwk.d);
    const faulty = [
      secret,
      { ...privateJwk, kid: 'mine' },
      { ...privateJwk, crv: 'X25519' },
      { ...privateJwk, d: `${secret}=` },
      { ...privateJwk, d: secret.slice(1) },
      { kty: 'OKP', d: secret },
    ];
    for (const jwk of faulty) {
      const error = await failure(loadSigningKey(jwk));
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(
        secret.slice(1, -1),
      );
    }
  });
});

describe('a key list', () => {
  it('finds a key with its role and subject by kid, and nothing by another kid', async () => {
    const party = await newParty('worker', 'render-farm:7');
    const list = await keyListOf(party);
    expect(list.find(party.key.kid)).toMatchObject({ kid: party.key.kid, role: 'worker', subject: 'render-farm:7' });
    expect(list.find('constructor')).toBeUndefined();
  });

  it('holds several keys of one role and subject at once', async () => {
    const [old, next] = [await newParty('site', 'munich'), await newParty('site', 'munich')];
    const list = await keyListOf(old, next);
    expect(list.keys.map((key) => [key.kid, key.role, key.subject])).toEqual([
      [old.key.kid, 'site', 'munich'],
      [next.key.kid, 'site', 'munich'],
    ]);
  });

  it('refuses an unknown role and names the place', async () => {
    const { entry } = await newParty('site', 'munich');
    const message = (await failure(KeyList.parse({ keys: [{ ...entry, role: 'admin' }] }))).message;
    expect(message).toContain('keys[0].role');
    expect(message).toContain('"provisioner"');
  });

  it('refuses a private key without repeating it', async () => {
    const { entry, privateJwk } = await newParty('site', 'munich');
    const message = (await failure(KeyList.parse({ keys: [{ ...entry, jwk: privateJwk }] }))).message;
    expect(message).toContain('private key');
    expect(message).not.toContain(String(privateJwk.d));
  });

  it('refuses one key in two entries, as its holder would have both roles', async () => {
    const { entry, key } = await newParty('site', 'munich');
    const list = { keys: [entry, { ...entry, role: 'provisioner' }] };
    expect((await failure(KeyList.parse(list))).message).toContain(`${key.kid} is listed twice`);
  });

  it('wants the name of a site as subject where a role belongs to a site', async () => {
    for (const role of ['provisioner', 'site', 'controller'] as const) {
      const { entry } = await newParty(role, 'a.person@example');
      expect((await failure(KeyList.parse({ keys: [entry] }))).message).toContain("the site's name");
    }
    const operator = await newParty('operator', 'a.person@example');
    expect((await keyListOf(operator)).keys).toHaveLength(1);
  });

  it('refuses what is no key list', async () => {
    for (const json of [undefined, [], {}, { keys: {} }, { keys: [null] }]) {
      expect((await failure(KeyList.parse(json))).message).toContain('reading a key list');
    }
  });
});
