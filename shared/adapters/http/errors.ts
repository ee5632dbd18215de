export type HttpErrorKind =
  'unreachable' | 'timeout' | 'too-large' | 'not-json' | 'redirect' | 'no-credentials' | 'inward';

/** No usable answer came. Whether the other side did what was asked is unknown. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly kind: HttpErrorKind;
  readonly url: string;

  constructor(kind: HttpErrorKind, call: { method: string; url: string }, fault: string, options?: ErrorOptions) {
    super(`calling ${call.method} ${call.url}: ${fault}`, options);
    this.kind = kind;
    this.url = call.url;
  }
}

/** The other side's answer is not what its contract says. */
export class AnswerInvalid extends Error {
  override readonly name = 'AnswerInvalid';
  readonly what: string;
  readonly faults: string[];

  constructor(what: string, faults: string[]) {
    super(`reading ${what}: it breaks the contract, so the side that answered must be mended: ${faults.join('; ')}`);
    this.what = what;
    this.faults = faults;
  }
}
