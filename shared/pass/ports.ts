import type { SitePolicy } from '../domain/model.ts';
import type { Clock, Controller, Events, LedgerStore, Log, Provider } from '../ports.ts';

/** What a pass works with. */
export interface ReconcilePorts {
  readonly ledger: LedgerStore;
  readonly controller: Controller;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly clock: Clock;
  readonly events: Events;
  readonly log: Log;
  readonly newPassId: () => string;
  /** When each provider's list was last read by this process; after a restart all are read again. */
  readonly listedAt: Map<string, number>;
}

/** The site that a pass is made over. */
export interface Site {
  readonly policy: SitePolicy;
  /** Goes into pass records, so that a replay knows under which policy was decided. */
  readonly policyDigest: string;
}
