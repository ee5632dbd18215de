import { HttpError } from './errors.ts';
import { printable } from './faults.ts';

/** The JSON of an answer of at most `maxBytes` (after decompression), `undefined` when its body is empty. Throws `HttpError`. */
export async function readAnswer(
  response: Response,
  maxBytes: number,
  call: { method: string; url: string },
): Promise<unknown> {
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const fault = `redirected (${response.status}), but a signed call holds for one address only; configure the final one`;
    throw new HttpError('redirect', call, fault);
  }
  const bytes = await readBytes(response, maxBytes, call);
  if (bytes.length === 0) return undefined;

  const contentType = response.headers.get('content-type') ?? 'no content type';
  if (!/^application\/(problem\+)?json\s*(;|$)/i.test(contentType)) {
    const fault = `answered ${response.status} with ${printable(contentType)} instead of JSON; check the address, and that no proxy answers in the other side's place`;
    throw new HttpError('not-json', call, fault);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const fault = `answered ${response.status} with damaged JSON; mend the side that answers`;
    throw new HttpError('not-json', call, fault, { cause: error });
  }
}

async function readBytes(
  response: Response,
  maxBytes: number,
  call: { method: string; url: string },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream: the rest is never received.
    if (size > maxBytes)
      throw new HttpError('too-large', call, `the answer has more than ${maxBytes} bytes; ask for less`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
