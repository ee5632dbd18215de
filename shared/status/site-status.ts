import type { FixedResource } from '../config/derive.ts';
import {
  historyCursor,
  maxHistoryBytes,
  maxTotalSteps,
  type HistoryPage,
  type HistoryQuery,
  type Totals,
  type TotalsQuery,
} from '../contracts/status-history.ts';
import type {
  Health,
  OpenGrants,
  ProviderList,
  ResourceList,
  ResourceStatus,
  SiteSummary,
} from '../contracts/status.ts';
import { countedTokens } from '../domain/grants.ts';
import { isConfirmed } from '../domain/ledger.ts';
import type { Instant, SitePolicy } from '../domain/model.ts';
import type { Clock, Controller, HistoryStore, LedgerStore, Log, SiteRecord } from '../ports.ts';
import { ControllerView, type View } from './controller-view.ts';
import { LedgerUnreadable, TooManySteps, UnknownResource } from './errors.ts';
import { ageSeconds, controllerFigures } from './figures.ts';
import { grantStatus } from './grants.ts';
import { historyEntryAnswer } from './history.ts';
import { providerNames, providerStatus } from './providers.ts';
import { knownResources, resourceStatus, type KnownResource } from './resources.ts';
import { rfc3339 } from './rfc3339.ts';
import { SharedRead } from './shared-read.ts';
import { confirmedTotals } from './totals.ts';

export interface SiteStatusOptions {
  readonly store: Pick<LedgerStore, 'read'> & HistoryStore;
  readonly controller: Pick<Controller, 'observe'>;
  readonly policy: SitePolicy;
  readonly fixed: readonly FixedResource[];
  readonly clock: Clock;
  readonly log: Log;
}

/** The ledger as it was read. */
interface Reading {
  readonly record: SiteRecord;
  readonly known: ReadonlyMap<string, KnownResource>;
  readonly readAt: Instant;
}

/**
 * What people see of a site; it changes nothing. Ledger and controller are read at most once a second each, however many
 * ask. All methods throw `LedgerUnreadable`, and those that take a resource's name `UnknownResource`.
 */
export class SiteStatus {
  readonly #options: SiteStatusOptions;
  readonly #ledger: SharedRead<Reading>;
  readonly #controller: ControllerView;

  constructor(options: SiteStatusOptions) {
    this.#options = options;
    this.#ledger = new SharedRead(options.clock, () => this.#readLedger());
    this.#controller = new ControllerView(options);
  }

  async site(): Promise<SiteSummary> {
    const [{ record, known }, view] = await this.#readAll();
    const { policy } = this.#options;
    return {
      site: policy.site,
      resources: [...known.values()].map(({ name, elastic }) => ({ name, elastic })),
      providers: providerNames(policy, record),
      controller: this.#controllerState(record, view),
      ...(record.frozen && { frozen: { ...record.frozen, since: rfc3339(record.frozen.since) } }),
    };
  }

  async resources(): Promise<ResourceList> {
    const [{ known, readAt }, view] = await this.#readAll();
    const now = this.#now();
    const figures = controllerFigures(view, now);
    return {
      site: this.#options.policy.site,
      resources: [...known.values()].map((each) => resourceStatus(each, figures.get(each.name), { readAt, now })),
    };
  }

  async resource(name: string): Promise<ResourceStatus> {
    const [{ known, readAt }, view] = await this.#readAll();
    const now = this.#now();
    return resourceStatus(find(known, name), controllerFigures(view, now).get(name), { readAt, now });
  }

  async grants(name: string): Promise<OpenGrants> {
    const { known, readAt } = await this.#ledger.get();
    const now = this.#now();
    const grants = find(known, name).ledger?.grants ?? [];
    return {
      resource: name,
      grants: grants.map((grant) => grantStatus(grant, now)),
      ageSeconds: ageSeconds(readAt, now),
    };
  }

  async history(name: string, { from, to, cursor, limit }: HistoryQuery): Promise<HistoryPage> {
    const { known } = await this.#ledger.get();
    find(known, name);
    const range = {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(cursor !== undefined && { after: cursor }),
    };
    const entries: HistoryPage['entries'] = [];
    let bytes = 0;
    for await (const entry of this.#options.store.history(name, range)) {
      const last = entries.at(-1);
      if (last !== undefined && (entries.length === limit || bytes > maxHistoryBytes)) {
        return { resource: name, entries, next: historyCursor.encode(last.version) };
      }
      const answer = historyEntryAnswer(entry);
      bytes += Buffer.byteLength(JSON.stringify(answer));
      entries.push(answer);
    }
    return { resource: name, entries };
  }

  /** Throws `TooManySteps`. */
  async totals(name: string, { from = -Infinity, to }: TotalsQuery): Promise<Totals> {
    const { known } = await this.#ledger.get();
    find(known, name);
    // From the beginning, as the step in force at `from` may be much older.
    const steps = await confirmedTotals(this.#options.store.history(name, to === undefined ? {} : { to }));
    const inForce = steps.findLastIndex(([since]) => since <= from);
    const shown = steps.slice(Math.max(0, inForce));
    if (shown.length > maxTotalSteps) throw new TooManySteps(name, maxTotalSteps);
    return { resource: name, steps: shown.map(([since, ...numbers]) => [rfc3339(since), ...numbers]) };
  }

  async providers(): Promise<ProviderList> {
    const { record, readAt } = await this.#ledger.get();
    const now = this.#now();
    const { policy } = this.#options;
    return {
      providers: providerNames(policy, record).map((name) => providerStatus(name, policy, record, now)),
      ageSeconds: ageSeconds(readAt, now),
    };
  }

  async health(): Promise<Health> {
    const [{ record }, view] = await this.#readAll();
    const now = this.#now();
    const overdue = record.ledgers
      .flatMap(({ grants }) => grants)
      .filter((grant) => grant.expiresAt !== undefined && grant.expiresAt <= now && countedTokens(grant) > 0);
    return {
      status: view.heard && overdue.length === 0 && record.unreadable === undefined ? 'ok' : 'degraded',
      controller: this.#controllerState(record, view),
      unconfirmed: record.ledgers.filter((ledger) => !isConfirmed(ledger)).map(({ resource }) => resource),
      overdue: overdue.map(({ id }) => id),
    };
  }

  #now(): Instant {
    return this.#options.clock.now();
  }

  #readAll(): Promise<[Reading, View]> {
    return Promise.all([this.#ledger.get(), this.#controller.get()]);
  }

  async #readLedger(): Promise<Reading> {
    const { store, policy, fixed, log } = this.#options;
    const readAt = this.#now();
    try {
      const record = await store.read();
      return { record, known: knownResources(policy, fixed, record), readAt };
    } catch (error) {
      log.warn('reading the ledger failed', { error: String(error) });
      throw new LedgerUnreadable(error);
    }
  }

  #controllerState({ unheardSince }: SiteRecord, { heard, observation }: View): SiteSummary['controller'] {
    return {
      heard,
      ...(observation && { ageSeconds: ageSeconds(observation.receivedAt, this.#now()) }),
      ...(unheardSince !== undefined && { unheardSince: rfc3339(unheardSince) }),
    };
  }
}

function find(known: ReadonlyMap<string, KnownResource>, name: string): KnownResource {
  const resource = known.get(name);
  if (resource === undefined) throw new UnknownResource(name);
  return resource;
}
