import type { BrokenWords } from '../../test/promises/broken-words.ts';
import { breaker, type Check } from '../../test/promises/check.ts';

const broken = breaker(1, 'never more than lent');

/** The margin before a lease's end serves clocks and pushes, so it must not be used up: the ledger's end is no later than the provider's. */
export function leasesAreBelievedNoLonger(words: BrokenWords, clockErrorSeconds: () => number): Check {
  return {
    answered({ call, answer, before: { at, lent } }) {
      if (call.method !== 'write' || answer !== 'written') return;
      const [, { resource, grants, lastEntry }] = call.arguments;
      for (const change of lastEntry.changes) {
        if (change.kind !== 'granted' && change.kind !== 'renewed' && change.kind !== 'adopted') continue;
        const believed = grants.find(({ id }) => id === change.grant)?.expiresAt;
        const real = lent.find(({ id }) => id === change.grant)?.expiresAt;
        if (believed === undefined || real === undefined || words.revoked.has(change.grant)) continue;
        if (believed > real + clockErrorSeconds() * 1000) {
          broken(
            at,
            `${resource}: the ledger has ${change.grant} end ${(believed - real) / 1000} s after its provider`,
          );
        }
      }
    },
  };
}
