/** Look-ups in an observation. Each is built once per observation, so that a pass stays linear in what it looks at. */
import { observedFreshSeconds } from './limits.ts';
import type { Observation, ObservedResource, Tokens } from './model.ts';

interface Index {
  readonly resources: ReadonlyMap<string, ObservedResource>;
  readonly waiting: ReadonlyMap<string, Tokens>;
}

const indexes = new WeakMap<Observation, Index>();

/** The resource as the controller reported it. */
export function observedResource(observation: Observation | undefined, name: string): ObservedResource | undefined {
  return observation && indexOf(observation).resources.get(name);
}

/** Tokens of a resource that jobs wait for. */
export function waitingTokens(observation: Observation, name: string): Tokens {
  return indexOf(observation).waiting.get(name) ?? 0;
}

function indexOf(observation: Observation): Index {
  const known = indexes.get(observation);
  if (known !== undefined) return known;
  const waiting = new Map<string, Tokens>();
  for (const { jobs, needs } of observation.waiting) {
    for (const name in needs) waiting.set(name, (waiting.get(name) ?? 0) + jobs * (needs[name] ?? 0));
  }
  const index = { resources: new Map(observation.resources.map((resource) => [resource.name, resource])), waiting };
  indexes.set(observation, index);
  return index;
}

/**
 * In use by the larger of the two counts: the licence server also sees tokens that a job which has ended still holds,
 * or that somebody took past the scheduler.
 */
export function usedTokens(observed: ObservedResource): Tokens {
  const byServer = isObserved(observed) ? (observed.observed?.inUse ?? 0) : 0;
  return Math.max(observed.inUse, byServer);
}

/** Somebody reports the licence server's own count, and did so lately. */
export function isObserved(observed: ObservedResource): boolean {
  return observed.observed !== undefined && observed.observed.ageSeconds <= observedFreshSeconds;
}
