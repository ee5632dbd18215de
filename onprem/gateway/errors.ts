/** The scheduler may still carry out an earlier change, so a lower total could not be relied upon. */
export class UnsettledError extends Error {
  override readonly name = 'UnsettledError';
  readonly resource: string;
  readonly retryAfterSeconds: number;

  constructor(resource: string, retryAfterSeconds: number) {
    super(
      `lowering the total of ${resource}: an earlier change may still take effect for ${retryAfterSeconds} s; ask again then`,
    );
    this.resource = resource;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
