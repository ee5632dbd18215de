export type PoolProblemType =
  /** The pool lends no such resource. */
  | 'unknown-resource'
  /** The site has no grant under this id. */
  | 'unknown-grant'
  /** The id stands for something else already. */
  | 'conflict'
  /** The id is known, and nothing is lent under it now. */
  | 'not-lent'
  | 'minimum-hold'
  | 'more-than-lent'
  | 'whole-blocks'
  | 'no-partial-returns'
  | 'too-many-returns'
  | 'no-lease'
  | 'recalled';

/** The pool does not do what was asked, and nothing has changed. The message says what was wrong and how to mend it. */
export class PoolProblem extends Error {
  override readonly name = 'PoolProblem';
  readonly type: PoolProblemType;
  /** After this the same call may succeed. */
  readonly retryAfterSeconds?: number;

  constructor(type: PoolProblemType, message: string, retryAfterSeconds?: number) {
    super(message);
    this.type = type;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Others wrote to the shelf each time that this pool tried to. Nothing has changed. */
export class ShelfContended extends Error {
  override readonly name = 'ShelfContended';
  readonly resource: string;
  readonly attempts: number;

  constructor(resource: string, attempts: number) {
    super(
      `writing shelf ${resource}: others wrote first ${attempts} times in a row; try again, or let fewer copies of the pool run at once`,
    );
    this.resource = resource;
    this.attempts = attempts;
  }
}
