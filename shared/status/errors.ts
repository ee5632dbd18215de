import { printable } from '../adapters/http/faults.ts';

/** The site has no such resource. */
export class UnknownResource extends Error {
  override readonly name = 'UnknownResource';
  readonly resource: string;

  constructor(resource: string) {
    super(
      `reading the status of ${printable(resource)}: the site has no such resource; /v1/resources lists those it has`,
    );
    this.resource = resource;
  }
}

/** There are more steps between `from` and `to` than one answer holds. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
  readonly resource: string;
  readonly most: number;

  constructor(resource: string, most: number) {
    super(`reading the totals of ${resource}: there are more than ${most} steps; move "from" and "to" closer together`);
    this.resource = resource;
    this.most = most;
  }
}

/** The ledger did not answer, so nothing can be said of the site. */
export class LedgerUnreadable extends Error {
  override readonly name = 'LedgerUnreadable';

  constructor(cause: unknown) {
    super('reading the ledger: it does not answer; try again, and look at the log for the reason', { cause });
  }
}
