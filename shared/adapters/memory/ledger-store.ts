import type { Freeze, HistoryEntry, Instant, ProviderRecord, ResourceLedger } from '../../domain/model.ts';
import type { PassRecord } from '../../domain/pass-record.ts';
import type { FreezeStore, HistoryRange, HistoryStore, LedgerStore, SiteRecord, WriteOutcome } from '../../ports.ts';
import { freeze } from './freeze.ts';

/**
 * A site's ledger in memory, for simulations. It keeps what it is given, frozen and not copied, and a read between two
 * writes costs nothing.
 */
export class MemoryLedgerStore implements LedgerStore, HistoryStore, FreezeStore {
  readonly #ledgers = new Map<string, ResourceLedger>();
  readonly #providers = new Map<string, ProviderRecord>();
  /** By resource; without the entry that the ledger still holds. */
  readonly #history = new Map<string, HistoryEntry[]>();
  readonly #passes = new Map<string, PassRecord>();
  readonly #keepsPasses: boolean;
  #unheardSince: Instant | undefined;
  #frozen: Freeze | undefined;
  /** The last answer to `read`, until a write makes it old. */
  #record: SiteRecord | undefined;

  /** What passes saw is most of a long run; a simulation that nobody replays need not keep it. */
  constructor({ keepsPasses = true }: { keepsPasses?: boolean } = {}) {
    this.#keepsPasses = keepsPasses;
  }

  async read(): Promise<SiteRecord> {
    this.#record ??= Object.freeze({
      ledgers: inOrderOfNames(this.#ledgers),
      providers: inOrderOfNames(this.#providers),
      ...(this.#unheardSince === undefined ? {} : { unheardSince: this.#unheardSince }),
      ...(this.#frozen && { frozen: this.#frozen }),
    });
    return this.#record;
  }

  async write(previous: ResourceLedger | undefined, next: ResourceLedger): Promise<WriteOutcome> {
    const current = this.#ledgers.get(next.resource);
    if (current?.version !== previous?.version) return 'lost';
    if (current !== undefined) {
      const history = this.#history.get(next.resource);
      if (history === undefined) this.#history.set(next.resource, [current.lastEntry]);
      else history.push(current.lastEntry);
    }
    this.#ledgers.set(next.resource, freeze(next));
    this.#record = undefined;
    return 'written';
  }

  async writeProvider(previous: ProviderRecord | undefined, next: ProviderRecord): Promise<WriteOutcome> {
    if (this.#providers.get(next.provider)?.version !== previous?.version) return 'lost';
    this.#providers.set(next.provider, freeze(next));
    this.#record = undefined;
    return 'written';
  }

  async writeUnheardSince(since: Instant | undefined): Promise<void> {
    this.#unheardSince = since;
    this.#record = undefined;
  }

  async writeFreeze(freeze: Freeze | undefined): Promise<void> {
    this.#frozen = freeze;
    this.#record = undefined;
  }

  async recordPass(record: PassRecord): Promise<void> {
    if (this.#keepsPasses) this.#passes.set(record.id, freeze(record));
  }

  async *history(
    resource: string,
    { from = -Infinity, to = Infinity, after = 0 }: HistoryRange = {},
  ): AsyncIterable<HistoryEntry> {
    const last = this.#ledgers.get(resource)?.lastEntry;
    if (last === undefined) return;
    for (const entry of [...(this.#history.get(resource) ?? []), last]) {
      if (entry.version > after && from <= entry.at && entry.at <= to) yield entry;
    }
  }

  async pass(id: string): Promise<PassRecord | undefined> {
    return this.#passes.get(id);
  }
}

/** By code unit, as the table's keys are ordered. */
function inOrderOfNames<T>(byName: ReadonlyMap<string, T>): readonly T[] {
  return Object.freeze([...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value));
}
