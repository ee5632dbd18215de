/** Makes every recorded step of a site again from what was recorded, and says where the first one differs. */
import { ChangeDoesNotFit } from './domain/changes.ts';
import { decide } from './domain/decide.ts';
import { emptyLedger, record, type Stamp } from './domain/ledger.ts';
import type { Change, HistoryEntry, ResourceLedger, SitePolicy } from './domain/model.ts';
import type { PassRecord } from './domain/pass-record.ts';
import type { HistoryStore } from './ports.ts';

/** What was made again. */
export interface Replayed {
  /** Ledger writes, of which `decisions` were decided and the others report what a party answered. */
  readonly entries: number;
  readonly decisions: number;
  /** Entries that changed a total. */
  readonly totals: number;
  /** Absent: everything was found again. */
  readonly difference?: Difference;
}

/** The first write that came out otherwise; `recorded` and `replayed` are what was compared, as text. */
export interface Difference {
  readonly resource: string;
  readonly version: number;
  readonly at: number;
  readonly what: string;
  readonly recorded: string;
  readonly replayed: string;
}

/** Ledgers by resource and version. */
type Past = ReadonlyMap<string, ReadonlyMap<number, ResourceLedger>>;

/** Under the site policy that `policyDigest` is of; another one than a pass was decided under is a difference. Throws what the store throws. */
export async function replay(store: HistoryStore, policy: SitePolicy, policyDigest: string): Promise<Replayed> {
  const past = new Map<string, Map<number, ResourceLedger>>();
  const decided: HistoryEntry[] = [];
  let entries = 0;
  let totals = 0;
  const result = (difference?: Difference): Replayed => ({
    entries,
    decisions: decided.length,
    totals,
    ...(difference && { difference }),
  });

  for (const { resource } of policy.resources) {
    const versions = new Map<number, ResourceLedger>();
    past.set(resource, versions);
    let ledger: ResourceLedger | undefined;
    for await (const entry of store.history(resource)) {
      const next = writeAgain(ledger ?? emptyLedger(resource, entry.at), entry);
      const what = 'the ledger after this write';
      if (next instanceof ChangeDoesNotFit) return result(differs(entry, what, JSON.stringify(entry), next.message));
      const difference = compare(entry, next.lastEntry, what);
      if (difference !== undefined) return result(difference);
      entries += 1;
      if (next.target !== ledger?.target) totals += 1;
      if (entry.by === 'decide') decided.push(entry);
      versions.set(next.version, next);
      ledger = next;
    }
  }
  return result(await compareDecisions(store, policy, policyDigest, past, decided));
}

function writeAgain(previous: ResourceLedger, entry: HistoryEntry): ResourceLedger | ChangeDoesNotFit {
  try {
    return record(previous, entry.changes, stampOf(entry));
  } catch (error) {
    if (error instanceof ChangeDoesNotFit) return error;
    throw error;
  }
}

async function compareDecisions(
  store: HistoryStore,
  policy: SitePolicy,
  policyDigest: string,
  past: Past,
  entries: readonly HistoryEntry[],
): Promise<Difference | undefined> {
  const byPass = groupByPass(entries);
  for (const [id, ofPass] of byPass) {
    const [first] = ofPass;
    if (first === undefined) continue;
    const pass = await store.pass(id);
    if (pass === undefined) return differs(first, 'what the pass saw', `pass ${id}`, 'not recorded');
    if (pass.policyDigest !== policyDigest) {
      return differs(first, 'the policy of the site file', pass.policyDigest, policyDigest);
    }
    const changes = decideAgain(pass, policy, past);
    for (const entry of ofPass) {
      const before =
        past.get(entry.resource)?.get(pass.basis[entry.resource] ?? 0) ?? emptyLedger(entry.resource, pass.at);
      const again = record(before, changes.get(entry.resource) ?? [], stampOf(entry)).lastEntry;
      const difference = compare(entry, again, 'the decision');
      if (difference !== undefined) return difference;
    }
  }
  return undefined;
}

function decideAgain(pass: PassRecord, policy: SitePolicy, past: Past): ReadonlyMap<string, readonly Change[]> {
  const { basis, at, ...world } = pass;
  const ledgers = Object.entries(basis).flatMap(([resource, version]) => past.get(resource)?.get(version) ?? []);
  const { resources } = decide({ ...world, now: at, ledgers }, policy);
  return new Map(resources.map(({ resource, changes }) => [resource, changes]));
}

function stampOf({ at, by, pass, epoch }: HistoryEntry): Stamp {
  return { at, by, pass, epoch };
}

/** Byte for byte, as both are the same kind of plain data made by the same code. */
function compare(recorded: HistoryEntry, replayed: HistoryEntry, what: string): Difference | undefined {
  const [a, b] = [JSON.stringify(recorded), JSON.stringify(replayed)];
  return a === b ? undefined : differs(recorded, what, a, b);
}

function differs(
  { resource, version, at }: HistoryEntry,
  what: string,
  recorded: string,
  replayed: string,
): Difference {
  return { resource, version, at, what, recorded, replayed };
}

function groupByPass(entries: readonly HistoryEntry[]): ReadonlyMap<string, readonly HistoryEntry[]> {
  const groups = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.pass);
    if (group === undefined) groups.set(entry.pass, [entry]);
    else group.push(entry);
  }
  return groups;
}
