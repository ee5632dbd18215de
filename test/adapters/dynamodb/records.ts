import type { Grant, HistoryEntry, ProviderRecord, ResourceLedger } from '../../../shared/domain/model.ts';
import type { PassRecord } from '../../../shared/domain/pass-record.ts';

const start = 1_700_000_000_000;

/** When a version of a ledger was written. */
export const instantOf = (version: number): number => start + version * 1_000;

export function aGrant(id: string): Grant {
  return {
    id,
    provider: 'pool',
    state: 'active',
    tokens: 32,
    requestedAt: start,
    terms: { block: 8, minimumHoldSeconds: 3_600, partialReturns: true, costPerTokenHour: 0.1 },
    holdUntil: start + 3_600_000,
  };
}

/** The first version of a resource's ledger. */
export function aLedger(resource: string, changes: Partial<ResourceLedger> = {}): ResourceLedger {
  return {
    resource,
    version: 1,
    grants: [],
    target: { owned: 100, borrowed: 0, epoch: 1, sequence: 1 },
    backoffs: { 'vendor "burst" ü': { until: start + 60_000, refusals: 2 } },
    spending: { day: 0.1 + 0.2, month: 1e-7, at: start },
    lastEntry: anEntry(resource, 1),
    ...changes,
  };
}

export function nextLedger(
  ledger: ResourceLedger,
  versions = 1,
  changes: Partial<ResourceLedger> = {},
): ResourceLedger {
  const version = ledger.version + versions;
  return { ...ledger, version, lastEntry: anEntry(ledger.resource, version), ...changes };
}

function anEntry(resource: string, version: number): HistoryEntry {
  return {
    resource,
    version,
    at: instantOf(version),
    by: 'decide',
    pass: `pass-${version}`,
    epoch: 1,
    changes: [{ kind: 'opened', owned: 100, reason: `written as version ${version}` }],
    target: { owned: 100, borrowed: 0, epoch: 1, sequence: version },
    confirmed: false,
  };
}

export function aProvider(provider: string, version: number): ProviderRecord {
  return {
    provider,
    version,
    description: {
      provider,
      revision: `revision-${version}`,
      offers: [
        {
          resource: 'hfsshpc',
          maximum: 256,
          block: 8,
          minimumHoldSeconds: 3_600,
          partialReturns: true,
          costPerTokenHour: 0.1,
        },
      ],
    },
    describedAt: start,
  };
}

export function aPass(id: string, changes: Partial<PassRecord> = {}): PassRecord {
  return {
    id,
    at: start,
    epoch: 1,
    observation: {
      receivedAt: start,
      resources: [
        {
          name: 'hfsshpc',
          total: 100,
          epoch: 1,
          sequence: 1,
          inUse: 96,
          recentPeaks: { bucketSeconds: 60, needs: [96, null, 128] },
        },
      ],
      waiting: [{ jobs: 3, needs: { hfsshpc: 32 }, waitingSeconds: 84 }],
    },
    providers: [aProvider('pool', 1)],
    lists: [],
    unreachable: [],
    basis: { hfsshpc: 1 },
    policyDigest: 'sha256:0',
    ...changes,
  };
}
