import pMap from 'p-map';
import type { Instant } from '../domain/model.ts';
import type { Clock, WriteOutcome } from '../ports.ts';
import { ShelfContended } from './problem.ts';
import { expire, parting, type Step } from './rules.ts';
import { emptyShelf, type Shelf } from './shelf.ts';
import type { PoolStore } from './store.ts';
import { Turns } from './turns.ts';

/** What to do with a shelf. It may be asked several times, and what it reads of the store is read after the shelf. */
export type Rule<Answer> = (shelf: Shelf, now: Instant) => Step<Answer> | Promise<Step<Answer>>;

/** With random pauses of up to a second, dozens of copies of a pool get through on one shelf. */
const maxAttempts = 24;
const longestPauseMilliseconds = 1_000;
/** Many grants leave a shelf at once where many leases ran out long ago. */
const archiveConcurrency = 16;

/**
 * Changes shelves: read one, apply a rule, put the records of the grants that leave it, then write it on the condition
 * that nobody else has. So a closed grant is on its shelf or has become a record, wherever a crash falls.
 *
 * A rule that needs a record reads it after the shelf. Had the grant been on the shelf and left it in between, the
 * shelf's version has grown and what the rule makes of the record is never written.
 */
export class Shelves {
  readonly #store: PoolStore;
  readonly #clock: Clock;
  readonly #turns = new Turns();

  constructor(store: PoolStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Throws what the rule throws, and `ShelfContended`. */
  async change<Answer>(resource: string, rule: Rule<Answer>): Promise<Answer> {
    return this.#turns.take(resource, async () => {
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const stored = (await this.#store.readShelf(resource)) ?? emptyShelf(resource);
        const now = this.#clock.now();
        const { shelf, answer } = await rule(expire(stored, now), now);
        if (shelf === stored || (await this.#write(shelf, now)) === 'written') return answer;
        await this.#clock.sleep(Math.random() * Math.min(longestPauseMilliseconds, 5 * 2 ** attempt));
      }
      throw new ShelfContended(resource, maxAttempts);
    });
  }

  async #write(next: Shelf, now: Instant): Promise<WriteOutcome> {
    const { shelf, leaving } = parting(next, now);
    await pMap(leaving, (grant) => this.#store.archive(grant), { concurrency: archiveConcurrency });
    return this.#store.writeShelf({ ...shelf, version: shelf.version + 1 });
  }
}
