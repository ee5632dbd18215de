/**
 * The short-lived JWT that every call carries. Its claims follow RFC 9449 (`htm`, `htu`, `jti`, `iat`) with `bd`, the
 * digest of the body, added. Its `typ` keeps it from being taken for a signed document (RFC 8725, section 3.11).
 */
import { createHash, randomUUID } from 'node:crypto';
import { SignJWT, errors, jwtVerify, type JWTPayload } from 'jose';
import * as z from 'zod';
import { findKey } from './find-key.ts';
import type { KeyList, SigningKey } from './keys.ts';
import { CallRefused, type Caller } from './refusal.ts';
import { UsedTokens } from './used-tokens.ts';

export { CallRefused, type Caller } from './refusal.ts';

const typ = 'esr-call+jwt';
/** A call that arrives later is refused. */
export const callLifetimeSeconds = 60;
/** How far a caller's clock may be ahead of ours. */
const clockErrorSeconds = 30;

/**
 * Returns a JWT for one call, valid for 60 s. `url` is the full URL: RFC 9449 leaves the query out of `htu`, ours keeps
 * it, as it says whose grants are listed.
 */
export async function signCall(options: {
  key: SigningKey;
  subject: string;
  audience: string;
  method: string;
  url: string;
  body?: Uint8Array | string;
}): Promise<string> {
  const { key, subject, audience, method, url, body = '' } = options;
  const issuedAt = Math.floor(Date.now() / 1000);
  return new SignJWT({ htm: method, htu: url, bd: digest(body) })
    .setProtectedHeader({ alg: 'EdDSA', typ, kid: key.kid })
    .setIssuer(subject)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + callLifetimeSeconds)
    .sign(key.key);
}

const callClaims = z.object({
  iss: z.string(),
  aud: z.string(),
  htm: z.string(),
  htu: z.url(),
  bd: z.string(),
  jti: z.string().min(1).max(128),
  iat: z.number(),
  exp: z.number(),
});

export class CallVerifier {
  readonly #keys: () => KeyList;
  readonly #audience: string;
  readonly #now: () => number;
  readonly #used = new UsedTokens();

  /**
   * `keys` as a function is asked at every call, so that a changed key list takes effect without a restart.
   * `now` is in epoch milliseconds.
   */
  constructor(options: { keys: KeyList | (() => KeyList); audience: string; now?: () => number }) {
    const { keys } = options;
    this.#keys = typeof keys === 'function' ? keys : () => keys;
    this.#audience = options.audience;
    this.#now = options.now ?? Date.now;
  }

  /** Throws `CallRefused`. A token is used up by the first call that it admits. */
  async verify(token: string, request: { method: string; url: string; body: Uint8Array }): Promise<Caller> {
    if (token === '') throw new CallRefused('missing', 'there is no call token; send it as "authorization: Bearer"');
    const signer = findKey(token, typ, this.#keys());
    const now = Math.floor(this.#now() / 1000);
    const claims = parseClaims(await this.#signedPayload(token, signer.key, now));
    if (claims.iss !== signer.subject) {
      throw new CallRefused('unknown-key', `key ${signer.kid} belongs to another subject than "iss" names`);
    }
    if (claims.exp - claims.iat > callLifetimeSeconds) {
      throw new CallRefused('expired', `the token is valid for longer than ${callLifetimeSeconds} s; shorten it`);
    }
    if (claims.iat > now + clockErrorSeconds) {
      throw new CallRefused('expired', `the token is ${claims.iat - now} s from the future; set both clocks by NTP`);
    }
    if (claims.htm !== request.method || !isSameTarget(new URL(claims.htu), new URL(request.url))) {
      throw new CallRefused('target', 'the token was made for another method or URL; sign the URL that is called');
    }
    if (claims.bd !== digest(request.body)) {
      throw new CallRefused('body', 'the body is not the one that was signed; sign the bytes that are sent');
    }
    // Last, so that only a call that is otherwise admitted uses its token up.
    if (!this.#used.add(`${signer.kid} ${claims.jti}`, claims.exp, now)) {
      throw new CallRefused('replayed', 'the token was used before; make a new one for every call');
    }
    return { role: signer.role, subject: signer.subject, kid: signer.kid };
  }

  async #signedPayload(token: string, key: SigningKey['key'], now: number): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['EdDSA'],
        audience: this.#audience,
        currentDate: new Date(now * 1000),
      });
      return payload;
    } catch (error) {
      throw this.#refusalFor(error);
    }
  }

  #refusalFor(error: unknown): unknown {
    if (error instanceof errors.JWTExpired) {
      return new CallRefused('expired', 'the token has expired; make a new one, and set both clocks by NTP');
    }
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
      return new CallRefused('audience', `the token is not for "${this.#audience}"; sign it for this audience`);
    }
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      return new CallRefused('bad-signature', 'the signature is not by the key that the token names');
    }
    return error instanceof errors.JOSEError ? new CallRefused('malformed', error.message) : error;
  }
}

/**
 * Scheme, host and port are not compared, as a server behind a proxy sees others than its callers address: it is the
 * audience that keeps a token from being used elsewhere.
 */
function isSameTarget(signed: URL, called: URL): boolean {
  return signed.pathname === called.pathname && signed.search === called.search;
}

function parseClaims(payload: JWTPayload): z.infer<typeof callClaims> {
  const claims = callClaims.safeParse(payload);
  if (!claims.success) throw new CallRefused('malformed', z.prettifyError(claims.error));
  return claims.data;
}

function digest(body: Uint8Array | string): string {
  return createHash('sha256').update(body).digest('base64url');
}
