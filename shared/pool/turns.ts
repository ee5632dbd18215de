/** Lets one process do its work on each resource in turns, so that it never loses a write to itself. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` after all that was given for this resource before. */
  async take<T>(resource: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(resource) ?? Promise.resolve()).then(work);
    const done = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(resource, done);
    await done;
    if (this.#last.get(resource) === done) this.#last.delete(resource);
    return result;
  }
}
