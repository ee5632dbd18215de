import type { WriteOutcome } from '../ports.ts';
import type { BarredGrant, ClaimedGrant, ClosedGrant, GrantRecord, Shelf } from './shelf.ts';
import type { PoolStore } from './store.ts';

/** For simulations and tests. Shelves and records are never changed in place, so they are kept without a copy. */
export class MemoryPoolStore implements PoolStore {
  readonly #shelves = new Map<string, Shelf>();
  readonly #records = new Map<string, GrantRecord>();

  async readShelf(resource: string): Promise<Shelf | undefined> {
    return this.#shelves.get(resource);
  }

  async readShelves(): Promise<readonly Shelf[]> {
    return [...this.#shelves.values()];
  }

  async writeShelf(next: Shelf): Promise<WriteOutcome> {
    if ((this.#shelves.get(next.resource)?.version ?? 0) !== next.version - 1) return 'lost';
    this.#shelves.set(next.resource, next);
    return 'written';
  }

  async readRecord(id: string): Promise<GrantRecord | undefined> {
    return this.#records.get(id);
  }

  async claim(record: ClaimedGrant | BarredGrant): Promise<GrantRecord> {
    const standing = this.#records.get(record.id) ?? record;
    this.#records.set(record.id, standing);
    return standing;
  }

  async archive(grant: ClosedGrant): Promise<void> {
    this.#records.set(grant.id, grant);
  }
}
