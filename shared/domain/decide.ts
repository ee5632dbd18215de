/**
 * The decision. Pure: what it says depends on its arguments alone, so the live system, the simulator and a replay of
 * recorded history decide alike.
 */
import { alarmsOf, dropped, unheard, unreadable } from './alarms.ts';
import { borrowForWaiting } from './borrow-for-waiting.ts';
import { applyChange } from './changes.ts';
import { emptyLedger } from './ledger.ts';
import type { Change, ElasticPolicy, ResourceLedger, SitePolicy } from './model.ts';
import { observedResource } from './observed.ts';
import { orphans } from './orphans.ts';
import { byResource } from './provider-lists.ts';
import type { Alarm, Decision, Draft, ResourceDecision, Situation } from './situation.ts';
import { upkeep } from './upkeep.ts';
import { withdraw } from './withdraw.ts';

/** For each resource: bring the ledger in line, then withdraw; then admit waiting jobs over all resources, and borrow. */
export function decide(situation: Situation, policy: SitePolicy): Decision {
  const lists = byResource(situation.lists);
  const ledgers = new Map(situation.ledgers.map((ledger) => [ledger.resource, ledger]));
  const alarms: Alarm[] = [];
  const toList = new Set<string>();
  const drafts: Draft[] = [];
  const undecided = new Set(situation.unreadable?.flatMap(({ kind, name }) => (kind === 'resource' ? [name] : [])));
  for (const ofResource of policy.resources) {
    const { resource } = ofResource;
    const draft = draftOf(ofResource, ledgers.get(resource), situation);
    const make = (change: Change): void => {
      draft.changes.push(change);
      draft.ledger = applyChange(draft.ledger, change, situation.now);
    };
    const findings = {
      make,
      alarm: (alarm: Alarm) => void alarms.push(alarm),
      needList: (provider: string) => void toList.add(provider),
    };
    if (!undecided.has(resource) && upkeep(draft, situation, lists, findings)) withdraw(draft, situation, make);
    else undecided.add(resource);
    alarms.push(...alarmsOf(draft, situation));
    drafts.push(draft);
  }
  const toDescribe = borrowForWaiting(policy.site, drafts, undecided, situation);
  return {
    resources: drafts.filter(({ changes, note }) => changes.length > 0 || note !== undefined).map(decisionOf),
    toDescribe,
    toList: [...toList],
    orphans: orphans(situation, lists, policy),
    alarms: [...alarms, ...unheard(situation), ...dropped(situation, policy), ...unreadable(situation)],
  };
}

/** What the controller said longer than `staleAfter` ago is as good as not said. */
function draftOf(policy: ElasticPolicy, ledger: ResourceLedger | undefined, { now, observation }: Situation): Draft {
  const { resource, staleAfterSeconds } = policy;
  const fresh = observation !== undefined && now - observation.receivedAt < staleAfterSeconds * 1000;
  return {
    policy,
    observed: fresh ? observedResource(observation, resource) : undefined,
    ledger: ledger ?? emptyLedger(resource, now),
    changes: [],
  };
}

function decisionOf({ policy: { resource }, changes, note }: Draft): ResourceDecision {
  return { resource, changes, ...(note === undefined ? {} : { note }) };
}
