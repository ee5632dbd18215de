/** What a person should look at, beyond what upkeep finds. */
import { countedTokens } from './grants.ts';
import type { SitePolicy } from './model.ts';
import type { Alarm, Draft, Situation } from './situation.ts';
import { count, duration } from './words.ts';

/** Of one resource, once it is decided. */
export function alarmsOf(draft: Draft, situation: Situation): readonly Alarm[] {
  return [...unreported(draft, situation), ...overdue(draft, situation)];
}

function unreported({ policy, observed, ledger }: Draft, { observation }: Situation): readonly Alarm[] {
  if (observation === undefined || observed !== undefined || ledger.grants.length === 0) return [];
  const message = `${policy.resource}: the controller does not report it, so nothing of it can be given back`;
  return [{ name: 'controller-not-heard', message }];
}

/** A grant that ended while its tokens are in use: nothing can be taken from running jobs. */
function overdue({ policy, ledger }: Draft, { now }: Situation): readonly Alarm[] {
  return ledger.grants
    .filter((grant) => grant.expiresAt !== undefined && grant.expiresAt <= now && countedTokens(grant) > 0)
    .map((grant) => ({
      name: 'grant-overdue',
      message: `${policy.resource}: grant ${grant.id} of ${grant.provider} has ended with ${count(countedTokens(grant), 'token')} still in use`,
    }));
}

/** The controller did not answer. */
export function unheard({ observation, unheardSince, now }: Situation): readonly Alarm[] {
  if (observation !== undefined || unheardSince === undefined) return [];
  const silence = duration((now - unheardSince) / 1000);
  const message = `the controller has not been heard for ${silence}; nothing is borrowed meanwhile`;
  return [{ name: 'controller-not-heard', message }];
}

/** Nothing is decided any more about a resource that has left the site file, so its grants are a person's to look at. */
export function dropped({ ledgers }: Situation, { resources }: SitePolicy): readonly Alarm[] {
  const elastic = new Set(resources.map(({ resource }) => resource));
  return ledgers
    .filter(({ resource, grants }) => grants.length > 0 && !elastic.has(resource))
    .sort((a, b) => (a.resource < b.resource ? -1 : 1))
    .map(({ resource, grants }) => ({
      name: 'orphan-grant',
      message: `${resource}: ${count(grants.length, 'grant')} open, but the site file no longer makes it elastic`,
    }));
}

/** What can't be read is left as it is, and the rest goes on without it. */
export function unreadable({ unreadable = [] }: Situation): readonly Alarm[] {
  return unreadable.map(({ kind, name, reason }) => ({
    name: 'ledger-unreadable',
    message: `${kind} ${name}: nothing is done about it: ${reason}`,
  }));
}
