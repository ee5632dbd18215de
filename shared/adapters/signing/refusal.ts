import type { Role } from './keys.ts';

/** Who made a call or signed a document, by the receiver's key list. */
export interface Caller {
  readonly role: Role;
  readonly subject: string;
  readonly kid: string;
}

export type RefusalCode =
  /** There is no token. */
  | 'missing'
  /** Not a token of this kind. */
  | 'malformed'
  /** The key list has no such key, or has it for another subject. */
  | 'unknown-key'
  | 'bad-signature'
  /** Not valid now, or valid for longer than allowed. */
  | 'expired'
  /** Meant for somebody else. */
  | 'audience'
  /** Meant for another method or URL. */
  | 'target'
  /** The body is not the one that was signed. */
  | 'body'
  /** This very token was used before. */
  | 'replayed';

/** A call or document whose sender is not proven. Nothing may be done for it. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(`checking who calls: ${message}`);
    this.code = code;
  }
}
