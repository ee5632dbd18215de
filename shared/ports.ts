/**
 * What the one pass needs from the world. Each port has a real adapter (`shared/adapters/`) and a simulated one
 * (`shared/simulation/`). A failure that the pass must reason about is a value; anything else is thrown.
 */
import type {
  Freeze,
  HistoryEntry,
  Instant,
  Observation,
  ProviderDescription,
  ProviderList,
  ProviderRecord,
  ResourceLedger,
  Tokens,
  UnreadableItem,
} from './domain/model.ts';
import type { GrantOutcome, RenewOutcome, ReturnOutcome, TotalOutcome } from './domain/outcomes.ts';
import type { PassRecord } from './domain/pass-record.ts';

export type { GrantOutcome, RenewOutcome, ReturnOutcome, TotalOutcome } from './domain/outcomes.ts';

export interface Clock {
  now(): Instant;
  /** Rejects when `signal` is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Everything the ledger holds of a site, from one query. */
export interface SiteRecord {
  readonly ledgers: readonly ResourceLedger[];
  readonly providers: readonly ProviderRecord[];
  /** The first failed look at the controller since the last one that succeeded. */
  readonly unheardSince?: Instant;
  readonly frozen?: Freeze;
  /** Resources and providers that are not among the above although the ledger holds them. */
  readonly unreadable?: readonly UnreadableItem[];
}

/** `lost`: somebody else wrote first; read again and decide again. */
export type WriteOutcome = 'written' | 'lost';

export interface LedgerStore {
  read(): Promise<SiteRecord>;
  /**
   * Puts `next` in place of `previous` (`undefined`: there was none), on the condition that `previous` is still there.
   * The entry that `previous` holds is put into history first, so a crash in between loses none.
   */
  write(previous: ResourceLedger | undefined, next: ResourceLedger): Promise<WriteOutcome>;
  writeProvider(previous: ProviderRecord | undefined, next: ProviderRecord): Promise<WriteOutcome>;
  /** `undefined` when the controller has been heard again. */
  writeUnheardSince(since: Instant | undefined): Promise<void>;
  /** Keeps what a pass saw, for replay. Written before the ledgers that it changes; the same pass twice is one record. */
  recordPass(record: PassRecord): Promise<void>;
}

/** Where an operator's word to borrow nothing more is kept. Every pass that begins later heeds it. */
export interface FreezeStore {
  /** `undefined` takes it back. */
  writeFreeze(freeze: Freeze | undefined): Promise<void>;
}

/** `from` and `to` are both included; `after`: only entries of later versions than this. */
export interface HistoryRange {
  readonly from?: Instant;
  readonly to?: Instant;
  readonly after?: number;
}

/** What people and a replay read back. */
export interface HistoryStore {
  /** Oldest first, including the entry that the ledger item still holds. */
  history(resource: string, range?: HistoryRange): AsyncIterable<HistoryEntry>;
  pass(id: string): Promise<PassRecord | undefined>;
}

/** A total as it is pushed: it grows only in (epoch, sequence). */
export interface TotalUpdate {
  readonly resource: string;
  readonly owned: Tokens;
  readonly borrowed: Tokens;
  readonly total: Tokens;
  readonly epoch: number;
  readonly sequence: number;
  /** When the controller shall leave tokens out by itself, in case nobody reaches it by then. */
  readonly expiries: readonly { readonly at: Instant; readonly tokens: Tokens }[];
  readonly issuedAt: Instant;
}

export type LeaseOutcome =
  { readonly held: true; readonly epoch: number } | { readonly held: false; readonly holder: string };

/** The controller on premises. `observe` and `acquireLease` throw `ControllerError` when no valid answer came. */
export interface Controller {
  observe(peakWindowSeconds: number): Promise<Observation>;
  acquireLease(): Promise<LeaseOutcome>;
}

/** The outbound half, for the provisioner's key alone. Never throws for what the other side does. */
export interface TotalReceiver {
  setTotal(update: TotalUpdate): Promise<TotalOutcome>;
}

/** One lender. `describe` and `list` throw `ProviderError`; the calls that change something answer `unknown` instead. */
export interface Provider {
  readonly name: string;
  describe(): Promise<ProviderDescription>;
  list(): Promise<Omit<ProviderList, 'sentAt'>>;
  /** Safe to repeat: the same id and body have the same answer. */
  request(grant: string, resource: string, tokens: Tokens): Promise<GrantOutcome>;
  giveBack(grant: string, returnId: string, tokens: Tokens): Promise<ReturnOutcome>;
  renew(grant: string): Promise<RenewOutcome>;
}

/** Events say only "look at this site now"; losing one delays and never breaks. */
export interface Events {
  /** Jobs have begun to wait. */
  demandWaits(): Promise<void>;
  /** A total is not yet the one that the controller has confirmed; said again by every pass until it is. */
  totalChanged(): Promise<void>;
}

export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  /** Something that a person must look at; becomes a metric and an alarm. */
  alarm(name: string, message: string, fields?: Record<string, unknown>): void;
}
