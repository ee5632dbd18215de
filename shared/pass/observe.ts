/** Observe: one look at the ledger, then at the controller and at the providers that lend to us. */
import type { Observation, ProviderList } from '../domain/model.ts';
import { peakWindowSeconds, type Situation } from '../domain/situation.ts';
import type { LeaseOutcome, SiteRecord } from '../ports.ts';
import type { ReconcilePorts, Site } from './ports.ts';

/** Grants that a provider holds without our knowledge are looked for this often while nothing is borrowed from it. */
const listIdleMilliseconds = 3_600_000;

/** What a pass has looked at, before it is put in order for the decision. */
export interface Seen {
  readonly record: SiteRecord;
  /** Absent: the controller did not answer. */
  readonly lease?: LeaseOutcome;
  /** Absent with the lease: without it nothing may be done about what is seen. */
  readonly observation?: Observation;
  readonly lists: readonly ProviderList[];
  readonly unreachable: readonly string[];
}

/** The ledger is read first: what the world is ahead of it by then makes the write of the intent fail. */
export async function observe(ports: ReconcilePorts, { policy }: Site): Promise<Seen> {
  const { ledger, controller, log } = ports;
  const record = await ledger.read();
  const failed = (error: unknown): undefined => {
    log.warn('looking at the controller failed', { error: String(error) });
    return undefined;
  };
  const [lease, observation, listed] = await Promise.all([
    controller.acquireLease().catch(failed),
    controller.observe(peakWindowSeconds(policy)).catch(failed),
    readLists(ports, listsDue(ports, record)),
  ]);
  return { record, ...listed, ...(lease && { lease }), ...(lease && observation && { observation }) };
}

/** Also keeps since when the controller has not been heard. Throws what the ledger's store throws. */
export async function situationOf({ clock, ledger }: ReconcilePorts, seen: Seen): Promise<Situation> {
  const { record, lease, observation, lists, unreachable } = seen;
  const now = clock.now();
  const unheardSince = observation === undefined ? (record.unheardSince ?? now) : undefined;
  if (unheardSince !== record.unheardSince) await ledger.writeUnheardSince(unheardSince);
  return {
    now,
    epoch: lease?.held ? lease.epoch : Math.max(0, ...record.ledgers.map(({ target }) => target.epoch)),
    ledgers: record.ledgers,
    providers: record.providers,
    lists,
    unreachable,
    ...(observation && { observation }),
    ...(unheardSince !== undefined && { unheardSince }),
    ...(record.frozen && { frozen: record.frozen }),
    ...(record.unreadable && { unreadable: record.unreadable }),
  };
}

/** A provider that lends to us is asked in every pass, for recalls; the others now and then, for grants we know nothing of. */
function listsDue({ providers, listedAt, clock }: ReconcilePorts, { ledgers }: SiteRecord): readonly string[] {
  const lending = new Set<string>();
  for (const { grants } of ledgers) for (const { provider } of grants) lending.add(provider);
  const due: string[] = [];
  for (const name of providers.keys()) {
    const last = listedAt.get(name);
    if (lending.has(name) || last === undefined || clock.now() - last >= listIdleMilliseconds) due.push(name);
  }
  return due;
}

interface Lists {
  readonly lists: readonly ProviderList[];
  /** Providers that did not answer. */
  readonly unreachable: readonly string[];
}

const noLists: Lists = { lists: [], unreachable: [] };

/** In the order of the providers' names, so that what is decided does not hang on who answers first. */
export async function readLists(ports: ReconcilePorts, names: readonly string[]): Promise<Lists> {
  if (names.length === 0) return noLists;
  const { providers, listedAt, clock, log } = ports;
  const lists = new Map<string, ProviderList>();
  await Promise.all(
    names.map(async (name) => {
      const sentAt = clock.now();
      try {
        const list = await providers.get(name)?.list();
        if (list !== undefined) lists.set(name, { ...list, sentAt });
        listedAt.set(name, sentAt);
      } catch (error) {
        log.warn('listing grants failed', { provider: name, error: String(error) });
      }
    }),
  );
  const sorted = [...names].sort();
  return {
    lists: sorted.flatMap((name) => lists.get(name) ?? []),
    unreachable: sorted.filter((name) => !lists.has(name)),
  };
}
