import type { Context } from 'hono';
import * as z from 'zod';
import { toTotalUpdate } from '../shared/adapters/controller/messages.ts';
import { RequestProblem, sentenceOf } from '../shared/adapters/http/server.ts';
import { verifyDocument } from '../shared/adapters/signing/document.ts';
import type { KeyList } from '../shared/adapters/signing/keys.ts';
import { CallRefused } from '../shared/adapters/signing/refusal.ts';
import { totalDocument } from '../shared/contracts/controller.ts';
import type { TotalUpdate } from '../shared/ports.ts';

/**
 * The total update in the request's body. It stands by itself, whoever relays it: signed by a provisioner of this site,
 * for this site and this resource. Throws `RequestProblem`.
 */
export async function readTotalDocument(
  c: Context,
  { site, resource, keys }: { site: string; resource: string; keys: KeyList },
): Promise<TotalUpdate> {
  if (!/^application\/jose\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new RequestProblem(415, 'not-jose', 'Not a signed document', 'Send a compact JWS as application/jose.');
  }
  const { payload, signer } = await verify(await c.req.text(), keys);
  if (signer.role !== 'provisioner' || signer.subject !== site) {
    const detail = `Key ${signer.kid} is ${signer.role} of ${signer.subject}; a total of ${site} must be signed by its provisioner.`;
    throw new RequestProblem(403, 'wrong-signer', 'Not allowed', detail);
  }
  const document = totalDocument.safeParse(payload);
  if (!document.success) {
    throw new RequestProblem(400, 'invalid', 'Invalid document', `Mend it: ${z.prettifyError(document.error)}`);
  }
  if (document.data.site !== site || document.data.resource !== resource) {
    const detail = `The document is for ${document.data.resource} of ${document.data.site}; this is ${resource} of ${site}.`;
    throw new RequestProblem(403, 'wrong-target', 'Not allowed', detail);
  }
  return toTotalUpdate(document.data);
}

async function verify(jws: string, keys: KeyList): ReturnType<typeof verifyDocument> {
  try {
    return await verifyDocument(jws, keys);
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    throw new RequestProblem(401, error.code, 'Not authenticated', sentenceOf(error));
  }
}
