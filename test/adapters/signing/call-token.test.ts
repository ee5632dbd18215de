import { SignJWT, UnsecuredJWT, decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { CallRefused, CallVerifier, signCall } from '../../../shared/adapters/signing/call-token.ts';
import { signDocument } from '../../../shared/adapters/signing/document.ts';
import type { KeyList } from '../../../shared/adapters/signing/keys.ts';
import { keyListOf, newParty, type Party } from './party.ts';

const url = 'https://controller.example/v1/grants?site=munich';
const request = { method: 'PUT', url, body: new TextEncoder().encode('{"tokens":4}') };
const sha256OfNothing = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';

let munich: Party;
let berlin: Party;
let keys: KeyList;

beforeAll(async () => {
  munich = await newParty('site', 'munich');
  berlin = await newParty('provisioner', 'berlin');
  keys = await keyListOf(munich, berlin);
});

function sign(changes: Partial<Parameters<typeof signCall>[0]> = {}): Promise<string> {
  const { key, subject } = munich;
  return signCall({ key, subject, audience: 'controller', ...request, ...changes });
}

/** A token of `signCall` with some claims and header members replaced, signed again by `signer`. */
async function forge(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
  signer: Party = munich,
): Promise<string> {
  return new SignJWT({ ...decodeJwt(await sign()), ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'esr-call+jwt', kid: munich.key.kid, ...header })
    .sign(signer.key.key);
}

function newVerifier(options: { now?: () => number } = {}): CallVerifier {
  return new CallVerifier({ keys, audience: 'controller', ...options });
}

async function refusalOf(token: string, changes: Partial<typeof request> = {}, verifier = newVerifier()) {
  const outcome = await verifier.verify(token, { ...request, ...changes }).then(
    () => 'admitted',
    (error: unknown) => (error instanceof CallRefused ? error.code : error),
  );
  return outcome;
}

describe('a signed call', () => {
  it('says who calls, by the key list of the receiver', async () => {
    expect(await newVerifier().verify(await sign(), request)).toEqual({
      role: 'site',
      subject: 'munich',
      kid: munich.key.kid,
    });
  });

  it('carries the digest of the empty body when it has none', async () => {
    const { key, subject } = munich;
    const token = await signCall({ key, subject, audience: 'controller', method: 'GET', url });
    expect(decodeJwt(token)['bd']).toBe(sha256OfNothing);
    await newVerifier().verify(token, { method: 'GET', url, body: new Uint8Array() });
  });

  it('is valid for at most 60 s', async () => {
    const { iat, exp } = decodeJwt(await sign());
    expect(Number(exp) - Number(iat)).toBeLessThanOrEqual(60);
  });
});

describe('a call is refused', () => {
  it('without a token, or with something else', async () => {
    expect(await refusalOf('')).toBe('missing');
    for (const token of ['x', '..', 'a.b.c', `${await sign()}.`, 'é'.repeat(9), '{}']) {
      expect(await refusalOf(token)).toBe('malformed');
    }
  });

  it('when a signed document is sent in place of a token', async () => {
    expect(await refusalOf(await signDocument(decodeJwt(await sign()), munich.key))).toBe('malformed');
  });

  it('when it is not signed at all', async () => {
    expect(await refusalOf(new UnsecuredJWT(decodeJwt(await sign())).encode())).toBe('bad-signature');
    const [header, payload] = (await forge({})).split('.');
    expect(await refusalOf(`${header}.${payload}.`)).toBe('bad-signature');
  });

  it('when it is signed by an algorithm other than EdDSA', async () => {
    const publicKey = new TextEncoder().encode(String(munich.entry.jwk.x));
    const token = await new SignJWT(decodeJwt(await sign()))
      .setProtectedHeader({ alg: 'HS256', typ: 'esr-call+jwt', kid: munich.key.kid })
      .sign(publicKey);
    expect(await refusalOf(token)).toBe('bad-signature');
  });

  it('when its key is not listed, even if the token brings the key along', async () => {
    const stranger = await newParty('provisioner', 'munich');
    expect(await refusalOf(await sign({ key: stranger.key }))).toBe('unknown-key');
    const header = { kid: stranger.key.kid, jwk: stranger.entry.jwk };
    expect(await refusalOf(await forge({}, header, stranger))).toBe('unknown-key');
  });

  it('when it names one key and is signed by another', async () => {
    expect(await refusalOf(await forge({}, {}, berlin))).toBe('bad-signature');
  });

  it("when it is signed by another site's key", async () => {
    expect(await refusalOf(await sign({ key: berlin.key }))).toBe('unknown-key');
  });

  it('when it is for another audience', async () => {
    expect(await refusalOf(await sign({ audience: 'pool' }))).toBe('audience');
    expect(await refusalOf(await forge({ aud: undefined }))).toBe('audience');
  });

  it('when method, path or query differ from what was signed', async () => {
    expect(await refusalOf(await sign(), { method: 'POST' })).toBe('target');
    expect(await refusalOf(await sign(), { url: url.replace('grants', 'leases') })).toBe('target');
    expect(await refusalOf(await sign(), { url: url.replace('munich', 'berlin') })).toBe('target');
  });

  it('when the body differs from what was signed', async () => {
    expect(await refusalOf(await sign(), { body: new TextEncoder().encode('{"tokens":5}') })).toBe('body');
    expect(await refusalOf(await sign(), { body: new Uint8Array() })).toBe('body');
  });

  it('when a claim is missing or of the wrong kind', async () => {
    for (const claim of ['iss', 'htm', 'htu', 'bd', 'jti', 'iat', 'exp']) {
      expect([claim, await refusalOf(await forge({ [claim]: undefined }))]).toEqual([claim, 'malformed']);
      expect([claim, await refusalOf(await forge({ [claim]: {} }))]).toEqual([claim, 'malformed']);
    }
    expect(await refusalOf(await forge({ jti: 'j'.repeat(10_000) }))).toBe('malformed');
  });
});

describe('time', () => {
  const issued = Date.UTC(2026, 0, 1);
  const iat = issued / 1000;
  const at = (secondsLater: number) => newVerifier({ now: () => issued + secondsLater * 1000 });

  it('ends a token with its expiry', async () => {
    const token = await forge({ iat, exp: iat + 60 });
    expect(await refusalOf(token, {}, at(59))).toBe('admitted');
    expect(await refusalOf(token, {}, at(60))).toBe('expired');
  });

  it('may run up to 30 s ahead at the caller', async () => {
    const token = await forge({ iat, exp: iat + 60 });
    expect(await refusalOf(token, {}, at(-30))).toBe('admitted');
    expect(await refusalOf(token, {}, at(-31))).toBe('expired');
  });

  it('refuses a token that is valid for longer than 60 s', async () => {
    expect(await refusalOf(await forge({ iat, exp: iat + 61 }), {}, at(0))).toBe('expired');
  });
});

describe('a token that was used', () => {
  it('is refused the second time', async () => {
    const verifier = newVerifier();
    const token = await sign();
    expect(await refusalOf(token, {}, verifier)).toBe('admitted');
    expect(await refusalOf(token, {}, verifier)).toBe('replayed');
  });

  it('is admitted once when it comes many times at once', async () => {
    const verifier = newVerifier();
    const token = await sign();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(token, {}, verifier)));
    expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(1);
  });

  it('is not used up by a call that was refused', async () => {
    const verifier = newVerifier();
    const token = await sign();
    expect(await refusalOf(token, { method: 'POST' }, verifier)).toBe('target');
    expect(await refusalOf(token, {}, verifier)).toBe('admitted');
  });

  it('does not use up the same jti of another key', async () => {
    const verifier = newVerifier();
    const token = await sign();
    const claims = { iss: 'berlin', jti: decodeJwt(token).jti };
    expect(await refusalOf(await forge(claims, { kid: berlin.key.kid }, berlin), {}, verifier)).toBe('admitted');
    expect(await refusalOf(token, {}, verifier)).toBe('admitted');
  });
});

describe('the origin', () => {
  it('is not compared, as a server behind a proxy sees another', async () => {
    const inside = { url: 'http://127.0.0.1:8080/v1/grants?site=munich' };
    expect(await refusalOf(await sign(), inside)).toBe('admitted');
  });
});

describe('rotation', () => {
  it('admits both keys while both are listed, and the old one no more once it is removed', async () => {
    const next = await newParty('site', 'munich');
    let listed = await keyListOf(munich, next);
    const verifier = new CallVerifier({ keys: () => listed, audience: 'controller' });
    expect(await refusalOf(await sign(), {}, verifier)).toBe('admitted');
    expect(await refusalOf(await sign({ key: next.key }), {}, verifier)).toBe('admitted');

    listed = await keyListOf(next);
    expect(await refusalOf(await sign(), {}, verifier)).toBe('unknown-key');
    expect(await refusalOf(await sign({ key: next.key }), {}, verifier)).toBe('admitted');
  });
});
