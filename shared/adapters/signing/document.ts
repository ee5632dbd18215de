/** A signed document stands on its own: it can be stored as evidence, relayed, and fetched later. */
import { CompactSign, compactVerify, errors } from 'jose';
import { findKey } from './find-key.ts';
import type { KeyList, SigningKey } from './keys.ts';
import { CallRefused, type Caller } from './refusal.ts';

const typ = 'esr-total+jws';

/** Returns a compact JWS. */
export async function signDocument(payload: object, key: SigningKey): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA', typ, kid: key.kid })
    .sign(key.key);
}

/**
 * Throws `CallRefused`. Says who signed and nothing more: whether the signer's role and subject allow what the
 * document asks, and whether it is newer than what is known, is for the receiver to check.
 */
export async function verifyDocument(jws: string, keys: KeyList): Promise<{ payload: unknown; signer: Caller }> {
  const { key, kid, role, subject } = findKey(jws, typ, keys);
  try {
    const { payload } = await compactVerify(jws, key, { algorithms: ['EdDSA'] });
    return { payload: JSON.parse(new TextDecoder().decode(payload)), signer: { role, subject, kid } };
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      throw new CallRefused('bad-signature', 'the document is not what its signer signed');
    }
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) {
      throw new CallRefused('malformed', `the document cannot be read (${error.message})`);
    }
    throw error;
  }
}
