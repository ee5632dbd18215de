/**
 * The one pass over a site, from top to bottom: observe, decide, record the intent, act, record the outcome.
 *
 * It is level-triggered: what it does follows from the state of the world, never from what woke it. It may die at any
 * await; the next pass finds the same state and finishes the work. The ledger is read before everything else, so
 * whatever the world is ahead of the ledger makes our conditional write fail, and the pass begins again.
 *
 * Totals are pushed by `push-totals.ts`, which alone holds the provisioner's key.
 */
import pMap from 'p-map';
import { callsDue, type ProviderCall } from './domain/calls.ts';
import { decide } from './domain/decide.ts';
import { emptyLedger, record, type Stamp } from './domain/ledger.ts';
import type { Change, ElasticPolicy, Observation, ProviderList, ResourceLedger, SitePolicy } from './domain/model.ts';
import { afterAbandon, afterGiveBack, afterRenew, afterRequest } from './domain/outcomes.ts';
import type { Decision, Situation } from './domain/situation.ts';
import { peakWindowSeconds } from './domain/situation.ts';
import type { Clock, Controller, Events, LeaseOutcome, LedgerStore, Log, Provider, SiteRecord } from './ports.ts';

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

export interface Site {
  readonly policy: SitePolicy;
  /** Goes into pass records, so that a replay knows under which policy was decided. */
  readonly policyDigest: string;
}

/** `idle`: another provisioner holds the lease. `unheard`: the controller did not answer. */
export type PassResult = 'done' | 'idle' | 'unheard';

/** Rounds of one pass: a rival's write, or a refusal that the next provider may make good, begins another. */
const maxRounds = 8;
/** Resources that talk to providers at once. */
const concurrency = 8;
/** Grants that a provider holds without our knowledge are looked for this often while nothing is borrowed from it. */
const listIdleMilliseconds = 3_600_000;

/** A part of the pass failed, the rest of it was done; the next pass tries the part again. */
export class PassIncomplete extends AggregateError {
  constructor(failures: readonly unknown[]) {
    super(failures, `reconciling, ${failures.length} failed: ${failures.map(String).join('; ')}`);
    this.name = 'PassIncomplete';
  }
}

export async function reconcile(ports: ReconcilePorts, site: Site): Promise<PassResult> {
  let result: PassResult = 'done';
  let totalChanged = false;
  const failures: unknown[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const seen = await observe(ports, site);
    if (seen.lease !== undefined && !seen.lease.held) return 'idle';
    result = seen.observation === undefined ? 'unheard' : 'done';

    const { situation, decision } = await decideFully(ports, site, await situationOf(ports, site, seen));
    report(ports.log, decision);

    const intent = await recordIntent(ports, site, situation, decision);
    const outcome = seen.lease === undefined ? nothingDone : await act(ports, site, situation, intent.ledgers);
    failures.push(...intent.failures, ...outcome.failures);
    await giveBackOrphans(ports, decision, seen.lease);

    totalChanged ||= intent.totalChanged || outcome.totalChanged;
    if ((!intent.again && !outcome.again) || failures.length > 0) break;
  }
  if (totalChanged) await announce(ports);
  if (failures.length > 0) throw new PassIncomplete(failures);
  return result;
}

// ------------------------------------------------------------------------------------------------ observe

interface Seen {
  readonly record: SiteRecord;
  readonly lease?: LeaseOutcome;
  readonly observation?: Observation;
}

async function observe({ ledger, controller, log }: ReconcilePorts, { policy }: Site): Promise<Seen> {
  const record = await ledger.read();
  const failed = (error: unknown): undefined => {
    log.warn('looking at the controller failed', { error: String(error) });
    return undefined;
  };
  const [lease, observation] = await Promise.all([
    controller.acquireLease().catch(failed),
    controller.observe(peakWindowSeconds(policy)).catch(failed),
  ]);
  return { record, ...(lease && { lease }), ...(lease && observation && { observation }) };
}

async function situationOf(ports: ReconcilePorts, site: Site, seen: Seen): Promise<Situation> {
  const { record, lease, observation } = seen;
  const now = ports.clock.now();
  const unheardSince = observation === undefined ? (record.unheardSince ?? now) : undefined;
  if (unheardSince !== record.unheardSince) await ports.ledger.writeUnheardSince(unheardSince);
  const { lists, unreachable } = await readLists(ports, lease === undefined ? [] : listsDue(ports, record));
  return {
    now,
    epoch: lease?.held ? lease.epoch : Math.max(0, ...record.ledgers.map(({ target }) => target.epoch)),
    ledgers: record.ledgers,
    providers: record.providers,
    lists,
    unreachable,
    ...(observation && { observation }),
    ...(unheardSince !== undefined && { unheardSince }),
  };
}

/** A provider that lends to us is asked in every pass, for recalls; the others now and then, for grants we know nothing of. */
function listsDue({ providers, listedAt, clock }: ReconcilePorts, { ledgers }: SiteRecord): readonly string[] {
  const lending = new Set(ledgers.flatMap(({ grants }) => grants.map(({ provider }) => provider)));
  return [...providers.keys()].filter((name) => {
    const last = listedAt.get(name);
    return lending.has(name) || last === undefined || clock.now() - last >= listIdleMilliseconds;
  });
}

async function readLists(
  { providers, listedAt, clock, log }: ReconcilePorts,
  names: readonly string[],
): Promise<{ lists: ProviderList[]; unreachable: string[] }> {
  const lists: ProviderList[] = [];
  const unreachable: string[] = [];
  await pMap(
    names,
    async (name) => {
      const sentAt = clock.now();
      try {
        const list = await providers.get(name)?.list();
        if (list === undefined) return;
        lists.push({ ...list, sentAt });
        listedAt.set(name, sentAt);
      } catch (error) {
        unreachable.push(name);
        log.warn('listing grants failed', { provider: name, error: String(error) });
      }
    },
    { concurrency },
  );
  return { lists: lists.sort((a, b) => (a.provider < b.provider ? -1 : 1)), unreachable: unreachable.sort() };
}

// ------------------------------------------------------------------------------------------------ decide

/** Decides; what the decision says must be known first is read, and it is decided again. */
async function decideFully(
  ports: ReconcilePorts,
  { policy }: Site,
  first: Situation,
): Promise<{ situation: Situation; decision: Decision }> {
  let situation = first;
  for (;;) {
    const decision = decide(situation, policy);
    const { unreachable } = situation;
    const toDescribe = decision.toDescribe.filter((name) => !unreachable.includes(name));
    const toList = decision.toList.filter((name) => !unreachable.includes(name));
    if (toDescribe.length === 0 && toList.length === 0) return { situation, decision };
    const described = await describe(ports, situation, toDescribe);
    const listed = await readLists(ports, toList);
    situation = {
      ...situation,
      providers: described.providers,
      lists: [...situation.lists, ...listed.lists],
      unreachable: [...new Set([...unreachable, ...described.unreachable, ...listed.unreachable])].sort(),
    };
  }
}

async function describe(
  { providers, ledger, clock, log }: ReconcilePorts,
  situation: Situation,
  names: readonly string[],
): Promise<Pick<Situation, 'providers' | 'unreachable'>> {
  const records = new Map(situation.providers.map((record) => [record.provider, record]));
  const unreachable: string[] = [];
  for (const name of names) {
    const previous = records.get(name);
    try {
      const description = await providers.get(name)?.describe();
      if (description === undefined) throw new Error(`no provider ${name} is set up`);
      const next = { provider: name, version: (previous?.version ?? 0) + 1, description, describedAt: clock.now() };
      // A rival that wrote first read the same description; either will do.
      await ledger.writeProvider(previous, next);
      records.set(name, next);
    } catch (error) {
      unreachable.push(name);
      log.warn('reading the terms of a provider failed', { provider: name, error: String(error) });
    }
  }
  return { providers: [...records.values()], unreachable };
}

function report(log: Log, { resources, alarms }: Decision): void {
  for (const { name, message } of alarms) log.alarm(name, message);
  for (const { resource, changes, note } of resources) {
    for (const { kind, reason } of changes) log.info(`${resource}: ${kind}`, { resource, reason });
    if (note !== undefined) log.info(`${resource}: not borrowed`, { resource, reason: note });
  }
}

// ------------------------------------------------------------------------------------------------ record the intent

interface Step {
  readonly totalChanged: boolean;
  /** The world has moved on, or another provider may make good a refusal: look again. */
  readonly again: boolean;
  /** What went wrong for single resources; it must not keep the others from being served. */
  readonly failures: readonly unknown[];
}

const nothingDone: Step = { totalChanged: false, again: false, failures: [] };

/** Does a step for each resource, several at once, and sums up. */
async function forEach<T>(items: readonly T[], step: (item: T) => Promise<Step>): Promise<Step> {
  const steps = await pMap(
    items,
    (item) => step(item).catch((error: unknown) => ({ ...nothingDone, failures: [error] })),
    {
      concurrency,
    },
  );
  return {
    totalChanged: steps.some(({ totalChanged }) => totalChanged),
    again: steps.some(({ again }) => again),
    failures: steps.flatMap(({ failures }) => failures),
  };
}

/** Writes what was decided. The ledgers it answers are those that stand as decided; only they may be acted upon. */
async function recordIntent(
  { ledger: store, newPassId }: ReconcilePorts,
  { policyDigest }: Site,
  situation: Situation,
  decision: Decision,
): Promise<Step & { ledgers: readonly ResourceLedger[] }> {
  const changed = decision.resources.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return { ...nothingDone, ledgers: situation.ledgers };
  const { now: at, epoch, ledgers: read, ...world } = situation;
  const pass = newPassId();
  const basis = Object.fromEntries(read.map(({ resource, version }) => [resource, version]));
  await store.recordPass({ id: pass, at, epoch, ...world, basis, policyDigest });

  const ledgers = new Map(read.map((ledger) => [ledger.resource, ledger]));
  const step = await forEach(changed, async ({ resource, changes }) => {
    const previous = ledgers.get(resource);
    ledgers.delete(resource);
    const stamp: Stamp = { at, by: 'decide', pass, epoch };
    const next = record(previous ?? emptyLedger(resource, at), changes, stamp);
    if ((await store.write(previous, next)) === 'lost') return { ...nothingDone, again: true };
    ledgers.set(resource, next);
    return { ...nothingDone, totalChanged: next.target !== previous?.target };
  });
  return { ...step, ledgers: [...ledgers.values()] };
}

// ------------------------------------------------------------------------------------------------ act, record the outcome

async function act(
  ports: ReconcilePorts,
  { policy }: Site,
  situation: Situation,
  ledgers: readonly ResourceLedger[],
): Promise<Step> {
  const policies = new Map(policy.resources.map((resource) => [resource.resource, resource]));
  const silent = new Set(situation.unreachable);
  return forEach(ledgers, async (ledger) => {
    const resource = policies.get(ledger.resource);
    return resource === undefined ? nothingDone : settle(ports, situation, resource, ledger, silent);
  });
}

/** Makes the calls that one ledger calls for, and records what they came to in one write. */
async function settle(
  ports: ReconcilePorts,
  situation: Situation,
  policy: ElasticPolicy,
  ledger: ResourceLedger,
  silent: Set<string>,
): Promise<Step> {
  const changes: Change[] = [];
  for (const call of callsDue(ledger, policy, situation)) {
    const provider = ports.providers.get(call.grant.provider);
    if (provider === undefined || silent.has(provider.name)) continue;
    const answer = await perform(call, provider, policy.resource, ports.clock);
    if (answer.unknown !== undefined) {
      // One that does not answer is not asked again in this pass, so it can't use up the time of the others.
      silent.add(provider.name);
      ports.log.warn('asking a provider failed', {
        provider: provider.name,
        grant: call.grant.id,
        error: answer.unknown,
      });
    }
    if (answer.change !== undefined) changes.push(answer.change);
  }
  if (changes.length === 0) return nothingDone;
  for (const { kind, reason } of changes)
    ports.log.info(`${policy.resource}: ${kind}`, { resource: policy.resource, reason });
  const stamp: Stamp = { at: ports.clock.now(), by: 'provider', pass: '', epoch: situation.epoch };
  const next = record(ledger, changes, stamp);
  if ((await ports.ledger.write(ledger, next)) === 'lost') return { ...nothingDone, again: true };
  return { ...nothingDone, totalChanged: next.target !== ledger.target, again: next.backoffs !== ledger.backoffs };
}

async function perform(
  { kind, grant }: ProviderCall,
  provider: Provider,
  resource: string,
  clock: Clock,
): Promise<{ change: Change | undefined; unknown?: string }> {
  const sentAt = clock.now();
  const request = async () => {
    const outcome = await provider.request(grant.id, resource, grant.tokens);
    return { change: afterRequest(grant, outcome, { sentAt, receivedAt: clock.now() }), ...unknownIn(outcome) };
  };
  switch (kind) {
    case 'request':
      return request();
    case 'abandon': {
      const outcome = await provider.giveBack(grant.id, `${grant.id}.a`, grant.tokens);
      // It was granted after all, and its minimum hold runs: learn of it as of any other grant.
      return outcome.outcome === 'refused'
        ? request()
        : { change: afterAbandon(grant, outcome), ...unknownIn(outcome) };
    }
    case 'giveBack': {
      if (grant.return === undefined) return { change: undefined };
      const outcome = await provider.giveBack(grant.id, grant.return.id, grant.return.tokens);
      return { change: afterGiveBack(grant, outcome), ...unknownIn(outcome) };
    }
    case 'renew': {
      const outcome = await provider.renew(grant.id);
      return { change: afterRenew(grant, outcome, { sentAt, receivedAt: clock.now() }), ...unknownIn(outcome) };
    }
  }
}

function unknownIn(outcome: { readonly outcome: string; readonly detail?: string }): { unknown?: string } {
  return outcome.outcome === 'unknown' ? { unknown: outcome.detail ?? '' } : {};
}

async function giveBackOrphans(
  { providers, log }: ReconcilePorts,
  { orphans }: Decision,
  lease: LeaseOutcome | undefined,
): Promise<void> {
  if (lease === undefined) return;
  for (const { provider, grant, tokens } of orphans) {
    const outcome = await providers.get(provider)?.giveBack(grant, `${grant}.orphan`, tokens);
    log.warn('gave back a grant for a resource that is not elastic here', {
      provider,
      grant,
      outcome: outcome?.outcome,
    });
  }
}

/** An event that is lost delays the push to the next minute. */
async function announce({ events, log }: ReconcilePorts): Promise<void> {
  try {
    await events.totalChanged();
  } catch (error) {
    log.warn('announcing a changed total failed; the next tick pushes it', { error: String(error) });
  }
}
