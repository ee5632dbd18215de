/** The controller has no such resource. */
export class UnknownResourceError extends Error {
  override readonly name = 'UnknownResourceError';
  readonly resource: string;

  constructor(doing: string, resource: string) {
    super(`${doing}: there is no shared resource ${resource}; correct the name or add it to the controller's config`);
    this.resource = resource;
  }
}

/** The total of this resource never changes. */
export class NotElasticError extends Error {
  override readonly name = 'NotElasticError';
  readonly resource: string;

  constructor(resource: string) {
    super(
      `setting the total of ${resource}: it is not elastic; set "elastic" in the controller's config to allow this`,
    );
    this.resource = resource;
  }
}

/** Every name of a lease is kept for ever, as its epoch must never fall. */
export class TooManyLeasesError extends Error {
  override readonly name = 'TooManyLeasesError';
  readonly lease: string;

  constructor(lease: string, most: number) {
    super(`taking the lease ${lease}: there are ${most} leases by other names already; use one of those`);
    this.lease = lease;
  }
}
