import type { FixedResource } from '../config/derive.ts';
import type { ControllerFigures, ResourceStatus } from '../contracts/status.ts';
import type { Instant, ResourceLedger, SitePolicy, Tokens } from '../domain/model.ts';
import type { SiteRecord } from '../ports.ts';
import { ledgerFigures, ownedFigures } from './figures.ts';
import { rfc3339 } from './rfc3339.ts';

/** What is known of one resource, apart from the controller's figures. */
export interface KnownResource {
  readonly name: string;
  readonly elastic: boolean;
  /** By the site file; 0 for a resource that is no longer in it. */
  readonly owned: Tokens;
  readonly ledger?: ResourceLedger;
  /** Why its ledger can't be read. */
  readonly unreadable?: string;
}

/** All that the site file or the ledger names, by name in order. */
export function knownResources(
  policy: SitePolicy,
  fixed: readonly FixedResource[],
  { ledgers, unreadable = [] }: SiteRecord,
): ReadonlyMap<string, KnownResource> {
  const known = new Map<string, KnownResource>();
  for (const { resource: name, total } of fixed) known.set(name, { name, elastic: false, owned: total });
  for (const { resource: name, owned } of policy.resources) known.set(name, { name, elastic: true, owned });
  for (const ledger of ledgers) {
    const { resource: name } = ledger;
    known.set(name, { ...(known.get(name) ?? { name, elastic: false, owned: 0 }), ledger });
  }
  for (const { kind, name, reason } of unreadable) {
    if (kind !== 'resource') continue;
    known.set(name, { ...(known.get(name) ?? { name, elastic: false, owned: 0 }), unreadable: reason });
  }
  return new Map([...known].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function resourceStatus(
  { name, elastic, owned, ledger, unreadable }: KnownResource,
  controller: ControllerFigures | undefined,
  { readAt, now }: { readonly readAt: Instant; readonly now: Instant },
): ResourceStatus {
  return {
    name,
    elastic,
    ledger: ledger === undefined ? ownedFigures(owned, controller?.total) : ledgerFigures(ledger, readAt, now),
    ...(controller && { controller }),
    ...(ledger?.because && { lastReason: ledger.because.reason, lastReasonAt: rfc3339(ledger.because.at) }),
    ...(unreadable !== undefined && { lastReason: unreadable, lastReasonAt: rfc3339(readAt) }),
  };
}
