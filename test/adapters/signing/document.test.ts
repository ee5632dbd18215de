import { CompactSign, UnsecuredJWT, base64url } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { CallRefused, signCall } from '../../../shared/adapters/signing/call-token.ts';
import { signDocument, verifyDocument } from '../../../shared/adapters/signing/document.ts';
import type { KeyList } from '../../../shared/adapters/signing/keys.ts';
import { keyListOf, newParty, type Party } from './party.ts';

const total = { site: 'munich', resource: 'hfsshpc', owned: 64, borrowed: 32, total: 96 };

let provisioner: Party;
let site: Party;
let keys: KeyList;

beforeAll(async () => {
  provisioner = await newParty('provisioner', 'munich');
  site = await newParty('site', 'munich');
  keys = await keyListOf(provisioner, site);
});

async function refusalOf(jws: string): Promise<unknown> {
  return verifyDocument(jws, keys).then(
    () => 'admitted',
    (error: unknown) => (error instanceof CallRefused ? error.code : error),
  );
}

describe('a signed document', () => {
  it('gives back what was signed, and says by whom', async () => {
    const { payload, signer } = await verifyDocument(await signDocument(total, provisioner.key), keys);
    expect(payload).toEqual(total);
    expect(signer).toEqual({ role: 'provisioner', subject: 'munich', kid: provisioner.key.kid });
  });

  it("names the role of its signer, so that a site's key cannot pass for the provisioner's", async () => {
    expect((await verifyDocument(await signDocument(total, site.key), keys)).signer.role).toBe('site');
  });

  it('is refused when its content was changed', async () => {
    const [header, , signature] = (await signDocument(total, provisioner.key)).split('.');
    const changed = base64url.encode(JSON.stringify({ ...total, borrowed: 64, total: 128 }));
    expect(await refusalOf(`${header}.${changed}.${signature}`)).toBe('bad-signature');
  });

  it('is refused when it is not signed, or by a key that is not listed', async () => {
    const stranger = await newParty('provisioner', 'munich');
    expect(await refusalOf(await signDocument(total, stranger.key))).toBe('unknown-key');
    expect(await refusalOf(new UnsecuredJWT(total).encode())).toBe('bad-signature');
  });

  it('is refused when it is no document of this kind', async () => {
    const { key, subject } = provisioner;
    const call = { key, subject, audience: 'munich', method: 'GET', url: 'https://controller.example/' };
    expect(await refusalOf(await signCall(call))).toBe('malformed');
    const text = await new CompactSign(new TextEncoder().encode('no JSON'))
      .setProtectedHeader({ alg: 'EdDSA', typ: 'esr-total+jws', kid: key.kid })
      .sign(key.key);
    for (const jws of ['', 'x', 'a.b.c', text]) expect(await refusalOf(jws)).toBe('malformed');
  });
});
