import type {
  Change,
  ElasticPolicy,
  Freeze,
  Instant,
  Observation,
  ObservedResource,
  ProviderList,
  ProviderRecord,
  ResourceLedger,
  SitePolicy,
  Tokens,
  UnreadableItem,
} from './model.ts';

/** All that a decision depends on, besides the policy. */
export interface Situation {
  readonly now: Instant;
  /** Of the lease that this provisioner holds. */
  readonly epoch: number;
  readonly ledgers: readonly ResourceLedger[];
  readonly providers: readonly ProviderRecord[];
  /** Read after the ledgers, so that a change which the list is ahead of makes our conditional write fail. */
  readonly lists: readonly ProviderList[];
  /** Providers that did not answer in this pass; nothing new is asked of them. */
  readonly unreachable: readonly string[];
  /** Read after the ledgers, for the same reason. Absent: the controller could not be heard. */
  readonly observation?: Observation;
  readonly unheardSince?: Instant;
  readonly frozen?: Freeze;
  readonly unreadable?: readonly UnreadableItem[];
}

/** What a pass does next, each part with its reason. */
export interface Decision {
  /** Only resources with something to say. */
  readonly resources: readonly ResourceDecision[];
  /** Must be known before more can be decided. */
  readonly toDescribe: readonly string[];
  readonly toList: readonly string[];
  /** Lent to this site by a provider, but for a resource that is not elastic here: given back at once. */
  readonly orphans: readonly Orphan[];
  readonly alarms: readonly Alarm[];
}

/** What is to be recorded of one resource. */
export interface ResourceDecision {
  readonly resource: string;
  readonly changes: readonly Change[];
  /** Why nothing (more) is borrowed although jobs wait. */
  readonly note?: string;
}

/** A grant that no ledger holds and none can take over. */
export interface Orphan {
  readonly provider: string;
  readonly grant: string;
  readonly tokens: Tokens;
}

/** Something that a person should look at; `name` is stable and becomes a metric. */
export interface Alarm {
  readonly name:
    | 'controller-not-heard'
    | 'controller-fell-back'
    | 'controller-exceeds-total'
    | 'ledger-behind'
    | 'ledger-unreadable'
    | 'grant-lost'
    | 'grant-overdue'
    | 'orphan-grant';
  readonly message: string;
}

/** One resource under decision: its ledger as the changes so far leave it. */
export interface Draft {
  readonly policy: ElasticPolicy;
  readonly observed: ObservedResource | undefined;
  ledger: ResourceLedger;
  readonly changes: Change[];
  note?: string;
}

/** Longest look back that any rule of the policy needs, for the question to the controller. */
export function peakWindowSeconds(policy: SitePolicy): number {
  return policy.resources.reduce((longest, { returnAfterSeconds }) => Math.max(longest, returnAfterSeconds), 3_600);
}
