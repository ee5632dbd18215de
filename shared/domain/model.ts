/**
 * The words of the core as types. Everything here is plain data that survives JSON unchanged:
 * the ledger stores it, history records it, and a replay reads it back.
 */

/** Milliseconds since 1970-01-01T00:00:00Z, always by our own clock (see `expiresAt` and `holdUntil`). */
export type Instant = number;

/** Licence tokens: a whole number, never negative. */
export type Tokens = number;

// ---------------------------------------------------------------- what the controller says

/** One look at the site, as the controller saw it when it answered. */
export interface Observation {
  /** When the answer arrived, by our clock. */
  readonly receivedAt: Instant;
  readonly resources: readonly ObservedResource[];
  /** Waiting demand, in the order in which the scheduler would start it. */
  readonly waiting: readonly WaitingClass[];
}

export interface ObservedResource {
  readonly name: string;
  /** The total that the controller applies now. */
  readonly total: Tokens;
  /** Of the last total update that the controller accepted; both 0 before the first. */
  readonly epoch: number;
  readonly sequence: number;
  readonly inUse: Tokens;
  /** What the licence server itself counts, where somebody reports it. */
  readonly observed?: ObservedUse;
  readonly recentPeaks: RecentPeaks;
}

export interface ObservedUse {
  readonly inUse: Tokens;
  readonly issued: Tokens;
  /** How old the report was when the controller answered. */
  readonly ageSeconds: number;
}

/** Highest need (in use + waiting) per bucket of time, oldest first; the last bucket is the current one. */
export interface RecentPeaks {
  readonly bucketSeconds: number;
  /** `null` marks a gap: nobody looked, so it counts as used. */
  readonly needs: readonly (Tokens | null)[];
}

/** Jobs that wait for the same tokens. */
export interface WaitingClass {
  readonly jobs: number;
  /** Tokens that each job needs, all of them together. */
  readonly needs: Readonly<Record<string, Tokens>>;
  /** Since the longest-waiting job of the class began to wait. */
  readonly waitingSeconds: number;
}

// ---------------------------------------------------------------- what the site file says

export interface SitePolicy {
  readonly site: string;
  readonly resources: readonly ElasticPolicy[];
}

/** What may be done with one elastic resource. */
export interface ElasticPolicy {
  readonly resource: string;
  readonly owned: Tokens;
  /** Names of the providers that may be asked, in the order in which to ask them. */
  readonly providers: readonly string[];
  readonly providerOrder: 'listed' | 'cheapest';
  readonly maxBorrowed: Tokens;
  /** Most tokens to ask for in one pass. */
  readonly maxStep: Tokens;
  readonly borrowAfterSeconds: number;
  readonly returnAfterSeconds: number;
  /** Unused tokens to keep for the next job. */
  readonly headroom: Tokens;
  /** How long a licence server may count a checkout after its job has ended. */
  readonly lingerSeconds: number;
  readonly spendingCap?: SpendingCap;
  readonly onStale: 'keep' | 'ownedOnly';
  readonly staleAfterSeconds: number;
}

export interface SpendingCap {
  readonly amount: number;
  /** A calendar day or month, in UTC. */
  readonly per: 'day' | 'month';
}

// ---------------------------------------------------------------- what a provider says

export interface ProviderDescription {
  readonly provider: string;
  /** Changes whenever anything else in the description does. */
  readonly revision: string;
  readonly offers: readonly Offer[];
}

/** The terms on which a provider lends one resource. */
export interface Offer {
  readonly resource: string;
  /** Most tokens that the provider lends to this site at once. */
  readonly maximum: Tokens;
  /** Tokens are lent and taken back in multiples of this. */
  readonly block: Tokens;
  readonly minimumHoldSeconds: number;
  readonly partialReturns: boolean;
  /** A grant ends this long after it was made or renewed; absent: it has no end. */
  readonly leaseSeconds?: number;
  readonly costPerTokenHour: number;
}

/** A provider's description as the ledger keeps it. */
export interface ProviderRecord {
  readonly provider: string;
  readonly version: number;
  readonly description: ProviderDescription;
  readonly describedAt: Instant;
}

/** Everything that a provider holds for this site, read before the ledger was read. */
export interface ProviderList {
  readonly provider: string;
  /** When the question was sent. */
  readonly sentAt: Instant;
  readonly grants: readonly ListedGrant[];
}

export interface ListedGrant {
  readonly id: string;
  readonly resource: string;
  /** `lent`: the provider counts these tokens as ours. `ended`: it counts none. */
  readonly state: 'pending' | 'lent' | 'ended';
  /** Tokens still lent. */
  readonly tokens: Tokens;
  readonly ageSeconds: number;
  /** Until the grant ends by itself, where it has an end. */
  readonly expiresInSeconds?: number;
  /** The provider wants the tokens back, within this time where it names one. */
  readonly recalled?: { readonly withinSeconds?: number };
  readonly terms: GrantTerms;
}

/** The part of an offer that a grant keeps for its whole life. */
export interface GrantTerms {
  readonly block: Tokens;
  readonly minimumHoldSeconds: number;
  readonly partialReturns: boolean;
  readonly leaseSeconds?: number;
  readonly costPerTokenHour: number;
}

// ---------------------------------------------------------------- what the ledger keeps

/**
 * A resource's durable record: one item, changed only by a write that is conditional on its version.
 * The target total is part of it, so that a grant's state and the total it implies change together.
 */
export interface ResourceLedger {
  readonly resource: string;
  /** Grows with every write; also the sequence of a target that this write changed. */
  readonly version: number;
  /** Open grants, oldest first. */
  readonly grants: readonly Grant[];
  /** The total that the ledger wants the controller to apply. */
  readonly target: TotalTarget;
  /** The last target that the controller confirmed; absent before the first, or when it has been lost. */
  readonly confirmed?: { readonly epoch: number; readonly sequence: number; readonly at: Instant };
  /** Providers that refused lately, by name. */
  readonly backoffs: Readonly<Record<string, Backoff>>;
  readonly spending: Spending;
  /** Why the ledger last wanted another total or another grant: the last reason that a decision gave. */
  readonly because?: { readonly at: Instant; readonly reason: string };
  /** The write that made this version; it becomes a history item before the next write replaces it. */
  readonly lastEntry: HistoryEntry;
}

/** It is there, but can't be read: what it holds is not known, so nothing may be done about it. */
export interface UnreadableItem {
  readonly kind: 'resource' | 'provider';
  readonly name: string;
  /** In words, with the mend. */
  readonly reason: string;
}

/** Nothing more is borrowed for the site, at a person's word, until that is taken back. */
export interface Freeze {
  readonly since: Instant;
  /** Whose word it is: the subject of the operator's key. */
  readonly by: string;
}

export interface TotalTarget {
  readonly owned: Tokens;
  readonly borrowed: Tokens;
  readonly epoch: number;
  readonly sequence: number;
}

export interface Backoff {
  readonly until: Instant;
  /** Refusals in a row. */
  readonly refusals: number;
}

/** What ended grants, and ended parts of grants, have cost in the UTC day and month that hold `at`. */
export interface Spending {
  readonly day: number;
  readonly month: number;
  readonly at: Instant;
}

/**
 * One loan. `requested` includes unknown: recorded, and the provider's answer not (yet) known.
 * While a return is under way the grant's phase is the return's (see `phaseOf`).
 */
export interface Grant {
  readonly id: string;
  readonly provider: string;
  readonly state: 'requested' | 'granted' | 'active';
  /** Asked for while requested; lent from then on. */
  readonly tokens: Tokens;
  readonly requestedAt: Instant;
  readonly terms: GrantTerms;
  readonly grantedAt?: Instant;
  /** Counted from when the answer arrived, so that a wrong clock errs towards holding longer. */
  readonly holdUntil?: Instant;
  /** Counted from when the request was sent, so that a wrong clock errs towards ending sooner. */
  readonly expiresAt?: Instant;
  /** Cost up to here is already in the ledger's spending. */
  readonly settledAt?: Instant;
  readonly recall?: Recall;
  readonly return?: Return;
}

/** The provider wants the tokens back (`recalled`), or no longer counts them as ours (`lost`). */
export interface Recall {
  readonly kind: 'recalled' | 'lost';
  readonly by?: Instant;
}

/** Tokens of a grant on their way back. */
export interface Return {
  readonly id: string;
  readonly tokens: Tokens;
  /**
   * `withdrawing`: the target leaves them out, and may count them again. `returning`: the controller confirmed a total
   * without them, so the provider may have been told and they never count again.
   */
  readonly phase: 'withdrawing' | 'returning';
  /** Absent while returning: the controller has fallen back since, and must confirm again before the provider is told. */
  readonly confirmedAt?: Instant;
}

/** One write to a ledger, with all that a replay needs to make it again. */
export interface HistoryEntry {
  readonly resource: string;
  /** The ledger's version after this write. */
  readonly version: number;
  readonly at: Instant;
  /** `decide`: computed from the pass named by `pass`. The others report what a party answered. */
  readonly by: 'decide' | 'provider' | 'controller';
  readonly pass: string;
  readonly epoch: number;
  readonly changes: readonly Change[];
  /** The target after this write, and whether the controller has confirmed it. */
  readonly target: TotalTarget;
  readonly confirmed: boolean;
}

/** One step in a ledger's life. Each carries its reason in words, for people. */
export type Change = { readonly reason: string } & (
  | { readonly kind: 'opened'; readonly owned: Tokens }
  | {
      readonly kind: 'borrow';
      readonly grant: string;
      readonly provider: string;
      readonly tokens: Tokens;
      readonly terms: GrantTerms;
    }
  | {
      readonly kind: 'granted';
      readonly grant: string;
      readonly tokens: Tokens;
      readonly terms: GrantTerms;
      readonly expiresInSeconds?: number;
      readonly sentAt: Instant;
      readonly receivedAt: Instant;
    }
  | { readonly kind: 'refused'; readonly grant: string; readonly retryAfterSeconds?: number }
  | { readonly kind: 'abandoned'; readonly grant: string }
  | {
      readonly kind: 'adopted';
      readonly grant: string;
      readonly provider: string;
      readonly tokens: Tokens;
      readonly terms: GrantTerms;
      readonly expiresAt?: Instant;
    }
  | { readonly kind: 'renewed'; readonly grant: string; readonly leaseSeconds: number; readonly sentAt: Instant }
  | { readonly kind: 'recalled'; readonly grant: string; readonly recall: Recall }
  | { readonly kind: 'withdraw'; readonly grant: string; readonly returnId: string; readonly tokens: Tokens }
  | { readonly kind: 'keep'; readonly grant: string; readonly tokens: Tokens }
  /** `elsewhere`: by another deployment of the site, under a total that this ledger never wrote. */
  | { readonly kind: 'returned'; readonly grant: string; readonly tokens: Tokens; readonly elsewhere?: true }
  | { readonly kind: 'retarget'; readonly owned: Tokens; readonly afterSequence: number }
  | { readonly kind: 'confirmed'; readonly epoch: number; readonly sequence: number }
  | { readonly kind: 'unconfirmed' }
);
