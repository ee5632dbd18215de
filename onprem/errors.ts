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
      `Setting the total of ${resource}: it is not elastic; set "elastic" in the controller's config to allow this`,
    );
    this.resource = resource;
  }
}
