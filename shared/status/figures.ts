/** The numbers of a resource, each group with its age. */
import type { ControllerFigures, LedgerFigures } from '../contracts/status.ts';
import { countedTokens, requestedTokens, sumTokens } from '../domain/grants.ts';
import { isConfirmed, totalOf } from '../domain/ledger.ts';
import type { Grant, Instant, ObservedResource, ResourceLedger, Tokens, WaitingClass } from '../domain/model.ts';
import { usedTokens } from '../domain/observed.ts';
import type { View } from './controller-view.ts';

/** In whole seconds, so that an answer stays the same, byte for byte, as long as the site does. */
export function ageSeconds(since: Instant, now: Instant): number {
  return Math.max(0, Math.floor((now - since) / 1000));
}

export function ledgerFigures(ledger: ResourceLedger, readAt: Instant, now: Instant): LedgerFigures {
  const { owned, borrowed } = ledger.target;
  return {
    owned,
    borrowed,
    total: totalOf(ledger.target),
    grants: ledger.grants.length,
    coming: sumTokens(ledger.grants, comingTokens),
    going: sumTokens(ledger.grants, goingTokens),
    confirmed: isConfirmed(ledger),
    ageSeconds: ageSeconds(readAt, now),
  };
}

/** Of a resource that has no ledger: it is not elastic, or no pass has opened it yet. */
export function ownedFigures(owned: Tokens, applied: Tokens | undefined): LedgerFigures {
  return {
    owned,
    borrowed: 0,
    total: owned,
    grants: 0,
    coming: 0,
    going: 0,
    confirmed: applied === owned,
    ageSeconds: 0,
  };
}

function comingTokens(grant: Grant): Tokens {
  return grant.state === 'granted' ? countedTokens(grant) : requestedTokens(grant);
}

export function goingTokens(grant: Grant): Tokens {
  return grant.return?.tokens ?? 0;
}

/** By resource. What the controller did not speak of is absent: an unknown number is never a zero. */
export function controllerFigures({ heard, observation }: View, now: Instant): ReadonlyMap<string, ControllerFigures> {
  if (observation === undefined) return new Map();
  const { receivedAt, resources } = observation;
  const waiting = waitingByResource(observation.waiting);
  return new Map(
    resources.map((resource) => [
      resource.name,
      {
        total: resource.total,
        inUse: resource.inUse,
        ...observedFigures(resource, receivedAt, now),
        waiting: waiting.get(resource.name) ?? 0,
        free: Math.max(0, resource.total - usedTokens(resource)),
        ageSeconds: ageSeconds(receivedAt, now),
        ...(!heard && { stale: true as const }),
      },
    ]),
  );
}

function observedFigures(
  { observed }: ObservedResource,
  receivedAt: Instant,
  now: Instant,
): Partial<ControllerFigures> {
  if (observed === undefined) return {};
  const countedAt = receivedAt - observed.ageSeconds * 1000;
  return { observedInUse: observed.inUse, observedAgeSeconds: ageSeconds(countedAt, now) };
}

/** For all resources at once, as there may be thousands of them and of classes. */
function waitingByResource(classes: readonly WaitingClass[]): ReadonlyMap<string, Tokens> {
  const sums = new Map<string, Tokens>();
  for (const { jobs, needs } of classes) {
    for (const [resource, tokens] of Object.entries(needs)) {
      sums.set(resource, (sums.get(resource) ?? 0) + jobs * tokens);
    }
  }
  return sums;
}
