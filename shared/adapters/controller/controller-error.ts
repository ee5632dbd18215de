export type ControllerErrorKind =
  /** No usable answer came. */
  | 'unreachable'
  /** It answered that it does not do what was asked. */
  | 'refused'
  /** Its answer is not what the contract says. */
  | 'invalid'
  /** The answer is another site's. */
  | 'foreign';

/** The controller gave no answer to build on. Nothing is known of the site. */
export class ControllerError extends Error {
  override readonly name = 'ControllerError';
  readonly kind: ControllerErrorKind;

  constructor(kind: ControllerErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
