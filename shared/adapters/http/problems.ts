/** Every refusal and failure of our servers is a problem document (RFC 9457). */
import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Problem } from '../../contracts/common.ts';
import { visible } from './faults.ts';

/** Thrown by a handler to answer with a problem document. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  readonly status: ContentfulStatusCode;
  readonly type: string;
  readonly title: string;
  readonly detail: string | undefined;
  readonly extra: Record<string, unknown>;

  constructor(
    status: ContentfulStatusCode,
    type: string,
    title: string,
    detail?: string,
    extra: Record<string, unknown> = {},
  ) {
    super(detail ?? title);
    this.status = status;
    this.type = type;
    this.title = title;
    this.detail = detail;
    this.extra = extra;
  }
}

/** `detail` says what was wrong and how to mend it; `extra` are members that this type of problem has beside. */
export function problemAnswer(
  c: Context,
  status: ContentfulStatusCode,
  type: string,
  title: string,
  detail?: string,
  extra: Record<string, unknown> = {},
): Response {
  const problem: Problem = { type, title, status, ...(detail === undefined ? {} : { detail }) };
  return c.body(JSON.stringify({ ...extra, ...problem }), status, { 'content-type': 'application/problem+json' });
}

/** An error's message as a `detail`, which is a sentence. */
export function sentenceOf({ message }: Error): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** For `app.onError`. An unexpected error goes to the server's own log; the answer tells nothing of the inside. */
export const handleErrors: ErrorHandler = (error, c) => {
  if (error instanceof RequestProblem) {
    return problemAnswer(c, error.status, error.type, error.title, error.detail, error.extra);
  }
  console.error(`answering ${c.req.method} ${visible(c.req.path)}:`, error);
  return problemAnswer(c, 500, 'internal', 'Internal error', "An unexpected error; the server's log has it.");
};

/** For `app.notFound`. */
export const notFound: NotFoundHandler = (c) =>
  problemAnswer(c, 404, 'not-found', 'Not found', `There is no ${c.req.method} ${c.req.path}.`);
