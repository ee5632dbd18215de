import type { Freeze, Instant, Observation, ProviderList, ProviderRecord, UnreadableItem } from './model.ts';

/** All that a pass decided from, apart from the ledgers, which history holds by version. */
export interface PassRecord {
  readonly id: string;
  readonly at: Instant;
  readonly epoch: number;
  /** Absent: the controller could not be heard. */
  readonly observation?: Observation;
  readonly unheardSince?: Instant;
  readonly frozen?: Freeze;
  readonly unreadable?: readonly UnreadableItem[];
  readonly providers: readonly ProviderRecord[];
  readonly lists: readonly ProviderList[];
  readonly unreachable: readonly string[];
  /** Version of each ledger that the pass read; resources that had none are left out. */
  readonly basis: Readonly<Record<string, number>>;
  /** Of the site policy; a replay under another policy says so. */
  readonly policyDigest: string;
}
