import type * as z from 'zod';
import { callTokenHeader } from '../../contracts/common.ts';
import { signCall } from '../signing/call-token.ts';
import type { SigningKey } from '../signing/keys.ts';
import { AnswerInvalid, HttpError } from './errors.ts';
import { describeFaults } from './faults.ts';
import { readAnswer } from './read-answer.ts';

export { AnswerInvalid, HttpError } from './errors.ts';

/** The largest answers that the contracts allow, 10,000 grants or waiting classes, take some 5 MB. */
const maxAnswerBytes = 16 * 1024 * 1024;

/**
 * What a platform in front of the other side asks of a call, such as AWS IAM: the headers that it was given and its own,
 * of which `authorization` is one. It throws when it has no credentials.
 */
export interface PlatformSigner {
  sign(url: string, call: { method: string; headers: Record<string, string>; body?: string }): Promise<Headers>;
}

/** How a call gets to the other side, and its answer back. */
export type Transport = (
  url: string,
  call: {
    readonly method: string;
    readonly headers: Headers;
    readonly body?: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

interface ClientOptions {
  readonly key: SigningKey;
  readonly subject: string;
  readonly audience: string;
  /** Covers a whole call, from connecting to the last byte of the answer. */
  readonly timeoutMilliseconds?: number;
  readonly platform?: PlatformSigner;
  /** Left out, `fetch`. */
  readonly transport?: Transport;
}

/** Makes signed calls to one party. Connections are kept alive between calls. */
export class HttpClient {
  readonly #signing: { key: SigningKey; subject: string; audience: string };
  readonly #timeoutMilliseconds: number;
  readonly #platform: PlatformSigner | undefined;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    const { key, subject, audience, timeoutMilliseconds = 10_000, platform, transport = fetch } = options;
    this.#signing = { key, subject, audience };
    this.#timeoutMilliseconds = timeoutMilliseconds;
    this.#platform = platform;
    this.#transport = transport;
  }

  /** An answer of any status is returned, its body `undefined` where it is empty. Throws `HttpError`. */
  async request(options: {
    method: string;
    url: string;
    json?: unknown;
    raw?: { contentType: string; body: string };
    /** Ends the call when it is aborted; its reason is thrown. */
    signal?: AbortSignal;
  }): Promise<{ status: number; body: unknown }> {
    const { method, url, json } = options;
    const content = json === undefined ? options.raw : { contentType: 'application/json', body: JSON.stringify(json) };
    const body = content === undefined ? {} : { body: content.body };
    const headers = await this.#headers({ method, url, ...body }, content?.contentType);

    options.signal?.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#timeoutMilliseconds);
    const end = (): void => deadline.abort();
    options.signal?.addEventListener('abort', end);
    try {
      const response = await this.#transport(url, {
        method,
        headers,
        ...body,
        redirect: 'manual',
        signal: deadline.signal,
      });
      return { status: response.status, body: await readAnswer(response, maxAnswerBytes, options) };
    } catch (error) {
      if (error instanceof HttpError) throw error;
      options.signal?.throwIfAborted();
      if (deadline.signal.aborted) {
        const fault = `no complete answer within ${this.#timeoutMilliseconds} ms; check the network and the load of the other side`;
        throw new HttpError('timeout', options, fault, { cause: error });
      }
      const fault = `no answer (${innermostReason(error)}); check the address, and that the other side runs and can be reached from here`;
      throw new HttpError('unreachable', options, fault, { cause: error });
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', end);
    }
  }

  async #headers(
    call: { method: string; url: string; body?: string },
    contentType: string | undefined,
  ): Promise<Headers> {
    const bearer = `Bearer ${await signCall({ ...this.#signing, ...call })}`;
    const content = contentType === undefined ? {} : { 'content-type': contentType };
    if (this.#platform === undefined) return new Headers({ authorization: bearer, ...content });
    try {
      return await this.#platform.sign(call.url, { ...call, headers: { [callTokenHeader]: bearer, ...content } });
    } catch (error) {
      const fault = `not sent, as there are no credentials for it (${innermostReason(error)}); check the role, whom it trusts, and the external id`;
      throw new HttpError('no-credentials', call, fault, { cause: error });
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
