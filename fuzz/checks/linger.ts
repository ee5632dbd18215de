import type { Instant, SitePolicy } from '../../shared/domain/model.ts';
import { breaker, isApplied, type Check } from '../../test/promises/check.ts';

const broken = breaker(2, 'never take back what is used');

/** A licence server may count a checkout for `linger` after its job: until then the provider hears of no return. */
export function linger({ resources }: SitePolicy, clockErrorSeconds: () => number): Check {
  const lingers = new Map(resources.map(({ resource, lingerSeconds }) => [resource, lingerSeconds]));
  /** By resource and update: when the controller first accepted it, by true time. */
  const acceptedAt = new Map<string, Instant>();
  /** By return: when the controller accepted the total that the ledger has as confirmed without it. */
  const confirmedAt = new Map<string, Instant>();
  return {
    answered({ call, answer, before: { at } }) {
      if (call.method === 'setTotal' && isApplied(answer)) {
        const key = keyOf(call.arguments[0]);
        if (!acceptedAt.has(key)) acceptedAt.set(key, at);
      }
      if (call.method !== 'write' || answer !== 'written') return;
      const { resource, grants, confirmed } = call.arguments[1];
      const accepted = confirmed && acceptedAt.get(keyOf({ resource, ...confirmed }));
      for (const { state, return: going } of grants) {
        if (going === undefined) continue;
        // What was never counted has never been checked out.
        if (going.confirmedAt === undefined || state === 'requested') confirmedAt.delete(going.id);
        else if (!confirmedAt.has(going.id)) confirmedAt.set(going.id, accepted ?? at);
      }
    },
    called(call, { at, lent }) {
      if (call.method !== 'giveBack') return;
      const [id, returnId, tokens] = call.arguments;
      const grant = lent.find((one) => one.id === id);
      const since = confirmedAt.get(returnId);
      if (grant === undefined || since === undefined) return;
      const [seconds, least] = [(at - since) / 1000, lingers.get(grant.resource) ?? 0];
      if (seconds < least - clockErrorSeconds()) {
        broken(at, `${tokens} of ${id} are given back ${seconds} s after the total fell, linger is ${least} s`);
      }
    },
  };
}

function keyOf({ resource, epoch, sequence }: { resource: string; epoch: number; sequence: number }): string {
  return `${resource} ${epoch} ${sequence}`;
}
