import type { WriteOutcome } from '../ports.ts';
import type { ClosedGrant, BarredGrant, ClaimedGrant, GrantRecord, Shelf } from './shelf.ts';

/** Where a pool keeps its shelves and grant records. Every read sees every write that was answered before it. */
export interface PoolStore {
  readShelf(resource: string): Promise<Shelf | undefined>;
  /** All that the pool has, also of resources that it no longer offers. */
  readShelves(): Promise<readonly Shelf[]>;
  /** Puts `next` on the condition that the version before it is still there (none before version 1). */
  writeShelf(next: Shelf): Promise<WriteOutcome>;

  readRecord(id: string): Promise<GrantRecord | undefined>;
  /** Puts the record unless the id has one, and answers the one that stands. */
  claim(record: ClaimedGrant | BarredGrant): Promise<GrantRecord>;
  /** Puts what became of a grant in place of its claim. Putting the same again changes nothing. */
  archive(grant: ClosedGrant): Promise<void>;
}
