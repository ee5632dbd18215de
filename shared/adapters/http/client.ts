import type * as z from 'zod';
import { signCall } from '../signing/call-token.ts';
import type { SigningKey } from '../signing/keys.ts';
import { AnswerInvalid, HttpError } from './errors.ts';
import { describeFaults } from './faults.ts';
import { readAnswer } from './read-answer.ts';

export { AnswerInvalid, HttpError } from './errors.ts';

/** The largest answers that the contracts allow, 10,000 grants or waiting classes, take some 5 MB. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** Makes signed calls to one party. Connections are kept alive between calls. */
export class HttpClient {
  readonly #signing: { key: SigningKey; subject: string; audience: string };
  readonly #timeoutMilliseconds: number;

  /** `timeoutMilliseconds` covers a whole call, from connecting to the last byte of the answer. */
  constructor(options: { key: SigningKey; subject: string; audience: string; timeoutMilliseconds?: number }) {
    const { key, subject, audience, timeoutMilliseconds = 10_000 } = options;
    this.#signing = { key, subject, audience };
    this.#timeoutMilliseconds = timeoutMilliseconds;
  }

  /** An answer of any status is returned, its body `undefined` where it is empty. Throws `HttpError`. */
  async request(options: {
    method: string;
    url: string;
    json?: unknown;
    raw?: { contentType: string; body: string };
  }): Promise<{ status: number; body: unknown }> {
    const { method, url, json } = options;
    const content = json === undefined ? options.raw : { contentType: 'application/json', body: JSON.stringify(json) };
    const body = content === undefined ? {} : { body: content.body };
    const token = await signCall({ ...this.#signing, method, url, ...body });

    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#timeoutMilliseconds);
    try {
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(content === undefined ? {} : { 'content-type': content.contentType }),
        },
        ...body,
        redirect: 'manual',
        signal: deadline.signal,
      });
      return { status: response.status, body: await readAnswer(response, maxAnswerBytes, options) };
    } catch (error) {
      if (error instanceof HttpError) throw error;
      if (deadline.signal.aborted) {
        const fault = `no complete answer within ${this.#timeoutMilliseconds} ms; check the network and the load of the other side`;
        throw new HttpError('timeout', options, fault, { cause: error });
      }
      const fault = `no answer (${innermostReason(error)}); check the address, and that the other side runs and can be reached from here`;
      throw new HttpError('unreachable', options, fault, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** An address without the slashes at its end, so that a contract's path can follow it. */
export function baseUrl(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Throws `AnswerInvalid`. `what` names the answer in the error's message. */
export function validate<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const result = schema.safeParse(body);
  if (!result.success) throw new AnswerInvalid(what, describeFaults(result.error, body));
  return result.data;
}

/** `fetch` says only "fetch failed"; what failed is in the causes. */
function innermostReason(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause;
  return reason instanceof Error ? reason.message : String(reason);
}
