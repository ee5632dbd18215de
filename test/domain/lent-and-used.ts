/** A site that has borrowed ten tokens and uses all that it has, so that nothing is withdrawn unless said otherwise. */
import { decide } from '../../shared/domain/decide.ts';
import type { Change, ObservedResource, ResourceLedger } from '../../shared/domain/model.ts';
import type { Decision, Situation } from '../../shared/domain/situation.ts';
import { ledgerOf, policyOf, siteOf, situationWith } from './builders.ts';

export const policy = policyOf();
export const site = siteOf(policy);
export const lent = ledgerOf(policy, { id: 'a', tokens: 10 });

export function decided(
  ledger: ResourceLedger,
  changes: Partial<Situation> = {},
  seen: Partial<ObservedResource> = {},
): Decision {
  return decide(situationWith(ledger, { seen: { inUse: 110, ...seen }, ...changes }), site);
}

export function changesIn({ resources }: Decision): Change[] {
  return resources.flatMap(({ changes }) => [...changes]);
}
