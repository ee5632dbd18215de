/**
 * The decision. Pure: what it says depends on its arguments alone, so the live system, the simulator and a replay of
 * recorded history decide alike.
 */
import { admit, type Supply } from './admit.ts';
import { borrow } from './borrow.ts';
import { borrowable, type Borrowable } from './borrowable.ts';
import { countedTokens, requestedTokens, sumTokens } from './grants.ts';
import { applyChange, emptyLedger } from './ledger.ts';
import type { Change, ElasticPolicy, Observation, SitePolicy } from './model.ts';
import type { Alarm, Decision, Draft, Orphan, Situation } from './situation.ts';
import { observedResource, usedTokens } from './observed.ts';
import { byResource, inOrder, upkeep, type ListByResource } from './upkeep.ts';
import { wantedTotal, withdraw } from './withdraw.ts';
import { count, duration } from './words.ts';

/** For each resource: bring the ledger in line, then withdraw; then admit waiting jobs over all resources, and borrow. */
export function decide(situation: Situation, policy: SitePolicy): Decision {
  const { now, observation, unheardSince } = situation;
  const lists = inOrder(situation.lists).map(byResource);
  const isFresh = ({ staleAfterSeconds }: ElasticPolicy): boolean =>
    observation !== undefined && now - observation.receivedAt < staleAfterSeconds * 1000;
  const ledgers = new Map(situation.ledgers.map((ledger) => [ledger.resource, ledger]));
  const alarms: Alarm[] = [];
  const toList = new Set<string>();
  const toDescribe = new Set<string>();
  const drafts: Draft[] = [];
  const undecided = new Set<string>();
  for (const resource of policy.resources) {
    const draft: Draft = {
      policy: resource,
      observed: isFresh(resource) ? observedResource(observation, resource.resource) : undefined,
      ledger: ledgers.get(resource.resource) ?? emptyLedger(resource.resource, now),
      changes: [],
    };
    const make = (change: Change): void => {
      draft.changes.push(change);
      draft.ledger = applyChange(draft.ledger, change, now);
    };
    const findings = {
      make,
      alarm: (alarm: Alarm) => void alarms.push(alarm),
      needList: (provider: string) => void toList.add(provider),
    };
    if (upkeep(draft, situation, lists, findings)) withdraw(draft, situation, make);
    else undecided.add(resource.resource);
    if (observation !== undefined && draft.observed === undefined && draft.ledger.grants.length > 0) {
      const message = `${resource.resource}: the controller does not report it, so nothing of it can be given back`;
      alarms.push({ name: 'controller-not-heard', message });
    }
    alarms.push(...overdue(draft, situation));
    drafts.push(draft);
  }
  if (observation !== undefined && observation.waiting.length > 0) {
    for (const provider of borrowForWaiting(policy.site, drafts, undecided, observation, situation))
      toDescribe.add(provider);
  }
  if (observation === undefined && unheardSince !== undefined) {
    const message = `the controller has not been heard for ${duration((now - unheardSince) / 1000)}; nothing is borrowed meanwhile`;
    alarms.push({ name: 'controller-not-heard', message });
  }
  const elastic = new Set(policy.resources.map(({ resource }) => resource));
  alarms.push(...dropped(situation, elastic));
  return {
    resources: drafts
      .filter(({ changes, note }) => changes.length > 0 || note !== undefined)
      .map(({ policy: { resource }, changes, note }) => ({
        resource,
        changes,
        ...(note === undefined ? {} : { note }),
      })),
    toDescribe: [...toDescribe],
    toList: [...toList],
    orphans: orphans(situation, lists, elastic),
    alarms,
  };
}

/** Answers the providers whose terms must be read before more can be borrowed. */
function borrowForWaiting(
  site: string,
  drafts: readonly Draft[],
  undecided: ReadonlySet<string>,
  observation: Observation,
  situation: Situation,
): readonly string[] {
  const supplies = new Map<string, Supply>();
  for (const resource of observation.resources) {
    supplies.set(resource.name, {
      available: resource.total - usedTokens(resource),
      borrowable: 0,
      borrowAfterSeconds: 0,
      limit: 'all in use, and not elastic',
    });
  }
  const rooms = new Map<string, Borrowable>();
  const wanted = new Set(observation.waiting.flatMap(({ needs }) => Object.keys(needs)));
  for (const draft of drafts) {
    const { resource, borrowAfterSeconds } = draft.policy;
    if (!wanted.has(resource)) continue;
    if (draft.observed === undefined || undecided.has(resource)) {
      supplies.set(resource, { available: 0, borrowable: 0, borrowAfterSeconds, limit: 'its state is not known' });
      continue;
    }
    const room = borrowable(draft, situation);
    // What a provider that does not answer was asked for may never come, so others may be asked for it, within the caps.
    const answering = draft.ledger.grants.filter(({ provider }) => !situation.unreachable.includes(provider));
    const coming = wantedTotal(draft) + sumTokens(answering, requestedTokens);
    supplies.set(resource, {
      available: coming - usedTokens(draft.observed),
      borrowable: room.tokens,
      borrowAfterSeconds,
      limit: room.limit,
    });
    rooms.set(resource, room);
  }
  admit(observation.waiting, supplies);
  const toDescribe: string[] = [];
  for (const draft of drafts) {
    const supply = supplies.get(draft.policy.resource);
    const room = rooms.get(draft.policy.resource);
    if (supply?.note !== undefined) draft.note = supply.note;
    if (supply === undefined || room === undefined) continue;
    const lacking = supply.cause !== undefined && supply.available < 0;
    if (lacking || (supply.note !== undefined && room.toDescribe.length > 0)) toDescribe.push(...room.toDescribe);
    if (!lacking) continue;
    draft.changes.push(
      ...borrow(draft, room, {
        tokens: -supply.available,
        cause: supply.cause ?? '',
        idPrefix: `${site}.${draft.policy.resource}.${situation.epoch}-${situation.now.toString(36)}`,
      }),
    );
  }
  return toDescribe;
}

/** A grant that ended while its tokens are in use: nothing can be taken from running jobs, so a person must know. */
function overdue({ policy, ledger }: Draft, { now }: Situation): Alarm[] {
  return ledger.grants
    .filter((grant) => grant.expiresAt !== undefined && grant.expiresAt <= now && countedTokens(grant) > 0)
    .map((grant) => ({
      name: 'grant-overdue',
      message: `${policy.resource}: grant ${grant.id} of ${grant.provider} has ended with ${count(countedTokens(grant), 'token')} still in use`,
    }));
}

/** Nothing is decided any more about a resource that has left the site file, so its grants are a person's to look at. */
function dropped({ ledgers }: Situation, elastic: ReadonlySet<string>): Alarm[] {
  return ledgers
    .filter(({ resource, grants }) => grants.length > 0 && !elastic.has(resource))
    .sort((a, b) => (a.resource < b.resource ? -1 : 1))
    .map(({ resource, grants }) => ({
      name: 'orphan-grant',
      message: `${resource}: ${count(grants.length, 'grant')} open, but the site file no longer makes it elastic`,
    }));
}

/** Lent to this site, but for no resource that is elastic here any more and in no ledger. */
function orphans({ ledgers }: Situation, lists: readonly ListByResource[], elastic: ReadonlySet<string>): Orphan[] {
  const strange = lists.flatMap(({ list: { provider }, grants }) =>
    [...grants]
      .filter(([resource]) => !elastic.has(resource))
      .flatMap(([, ofResource]) => ofResource.map(({ id, state, tokens }) => ({ provider, grant: id, state, tokens }))),
  );
  if (strange.length === 0) return [];
  const known = new Set(ledgers.flatMap(({ grants }) => grants.map(({ id }) => id)));
  return strange.flatMap(({ state, ...orphan }) => (state === 'lent' && !known.has(orphan.grant) ? [orphan] : []));
}
