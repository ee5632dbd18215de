import type { Instant } from '../shared/domain/model.ts';
import { MemoryPoolStore } from '../shared/pool/memory-store.ts';
import { close, endedGrant, expire, replaceOpen } from '../shared/pool/rules.ts';
import type { OpenGrant, Shelf } from '../shared/pool/shelf.ts';
import type { WriteOutcome } from '../shared/ports.ts';

/** A pool's shelves, which a run may look at between two steps, and from which it may take a grant past the pool's rules. */
export class PoolShelves extends MemoryPoolStore {
  readonly shelves = new Map<string, Shelf>();

  override async writeShelf(next: Shelf): Promise<WriteOutcome> {
    const outcome = await super.writeShelf(next);
    if (outcome === 'written') this.shelves.set(next.resource, next);
    return outcome;
  }

  /** The pool breaks its word: the grant is over, and shows as ended or, `forgotten`, does not show any more. */
  async end(grant: OpenGrant, at: Instant, { forgotten }: { forgotten: boolean }): Promise<void> {
    const shelf = this.#shelfOf(grant);
    if (forgotten) await this.archive(endedGrant(grant, at));
    const open = shelf.open.filter(({ id }) => id !== grant.id);
    await this.#put(forgotten ? { ...shelf, open } : close(shelf, [endedGrant(grant, at)]));
  }

  /** The same, at a time to come. */
  async cutShort(grant: OpenGrant, expiresAt: Instant): Promise<void> {
    await this.#put(replaceOpen(this.#shelfOf(grant), { ...grant, expiresAt }));
  }

  /** Leases that have run out by `now` stay ended, whatever becomes of the clock. */
  async settle(now: Instant): Promise<void> {
    for (const shelf of this.shelves.values()) {
      const settled = expire(shelf, now);
      if (settled !== shelf) await this.#put(settled);
    }
  }

  #shelfOf({ resource, id }: OpenGrant): Shelf {
    const shelf = this.shelves.get(resource);
    if (shelf === undefined) throw new Error(`ending grant ${id}: its pool has no shelf of ${resource}`);
    return shelf;
  }

  async #put(shelf: Shelf): Promise<void> {
    await this.writeShelf({ ...shelf, version: shelf.version + 1 });
  }
}
