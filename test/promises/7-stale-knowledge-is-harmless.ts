import { expiryMarginSeconds } from '../../shared/domain/limits.ts';
import type { Change, ElasticPolicy, Grant, ResourceLedger, SitePolicy } from '../../shared/domain/model.ts';
import type { PassRecord } from '../../shared/domain/pass-record.ts';
import { breaker, type Check } from './check.ts';

const broken = breaker(7, 'stale knowledge is harmless');

/** No decision without a look at the site raises a total or withdraws, except `ownedOnly`; and none rests on a gap. */
export function staleKnowledgeIsHarmless({ resources }: SitePolicy): Check {
  const policies = new Map(resources.map((policy) => [policy.resource, policy]));
  const passes = new Map<string, PassRecord>();
  return {
    answered({ call, answer, before: { at } }) {
      if (call.method === 'recordPass') passes.set(call.arguments[0].id, call.arguments[0]);
      if (call.method !== 'write' || answer !== 'written') return;
      const [previous, { resource, lastEntry, target }] = call.arguments;
      const policy = policies.get(resource);
      if (policy === undefined || lastEntry.by !== 'decide') return;
      const pass = passes.get(lastEntry.pass);
      if (pass === undefined) return broken(at, `${resource} was decided from what no record shows`);
      if (isUnseen(pass, policy)) {
        if (target.borrowed > (previous?.target.borrowed ?? 0)) broken(at, `${resource} was raised unseen`);
        for (const change of lastEntry.changes) {
          const why = unseenFault(change, policy, pass);
          if (why !== undefined) broken(at, `${resource}: ${why} (${change.reason})`);
        }
        return;
      }
      for (const change of lastEntry.changes) {
        if (change.kind !== 'withdraw' || isUrgent(change.grant, previous, lastEntry.changes, pass.at)) continue;
        const needs = pass.observation?.resources.find(({ name }) => name === resource)?.recentPeaks;
        const buckets = Math.ceil(policy.returnAfterSeconds / (needs?.bucketSeconds ?? 60));
        const window = needs?.needs.slice(-buckets) ?? [];
        if (window.length < buckets || window.includes(null)) {
          broken(at, `${resource}: tokens go back although nobody saw all of the last ${policy.returnAfterSeconds} s`);
        }
      }
    },
  };
}

/** What the controller said longer than `staleAfter` ago is as good as not said. */
function isUnseen({ observation, at }: PassRecord, { staleAfterSeconds }: ElasticPolicy): boolean {
  return observation === undefined || at - observation.receivedAt >= staleAfterSeconds * 1000;
}

function unseenFault(change: Change, policy: ElasticPolicy, pass: PassRecord): string | undefined {
  if (change.kind === 'borrow') return 'borrowed unseen';
  if (change.kind !== 'withdraw') return undefined;
  const silentSeconds = (pass.at - (pass.unheardSince ?? pass.at)) / 1000;
  if (policy.onStale === 'ownedOnly' && silentSeconds >= policy.staleAfterSeconds) return undefined;
  return `withdrawn unseen after ${silentSeconds} s of silence`;
}

/** Lost, recalled or about to end: its idle tokens go whatever the window shows. One never answered has no tokens yet. */
function isUrgent(id: string, previous: ResourceLedger | undefined, changes: readonly Change[], at: number): boolean {
  const grant: Grant | undefined = previous?.grants.find((grant) => grant.id === id);
  if (changes.some((change) => change.kind === 'recalled' && change.grant === id)) return true;
  return (
    grant?.state === 'requested' ||
    grant?.recall !== undefined ||
    (grant?.expiresAt ?? Infinity) - expiryMarginSeconds * 1000 <= at
  );
}
