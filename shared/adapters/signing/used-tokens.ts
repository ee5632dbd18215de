/** Far more calls than a site makes in the minute for which a token is valid. */
const capacity = 100_000;

/**
 * The call tokens that were used and are still valid, in memory only: what a call does is itself safe to repeat
 * (ids, epoch and sequence), so a token that a restart or another instance does not know opens a repeated answer at most.
 */
export class UsedTokens {
  /** Oldest first, each with the time (epoch seconds) from which it is refused as expired anyway. */
  readonly #until = new Map<string, number>();

  /** Returns false when the token was there. */
  add(id: string, until: number, now: number): boolean {
    if (this.#until.has(id)) return false;
    for (const [oldest, oldestUntil] of this.#until) {
      if (oldestUntil > now && this.#until.size < capacity) break;
      this.#until.delete(oldest);
    }
    this.#until.set(id, until);
    return true;
  }
}
