import type {
  ElasticPolicy,
  Grant,
  GrantTerms,
  Instant,
  ListedGrant,
  Observation,
  ResourceLedger,
  SitePolicy,
  WaitingClass,
} from '../shared/domain/model.ts';
import type { Situation } from '../shared/domain/situation.ts';
import { resourceNames } from './generated-site.ts';

const now: Instant = Date.UTC(2026, 0, 5, 8);
const hour = 3_600_000;
const owned = 16;
const lent = 8;
const terms: GrantTerms = { block: 1, minimumHoldSeconds: 3_600, partialReturns: true, costPerTokenHour: 1 };
const target = { owned, borrowed: lent, epoch: 1, sequence: 4 };

/**
 * A site in whose every resource tokens are borrowed and in use, and jobs wait for more; each class needs two
 * resources, and about every other one finds tokens to borrow.
 */
export function largeSite(
  resources: number,
  classes: number,
): { situation: Situation & { readonly observation: Observation }; policy: SitePolicy } {
  const names = resourceNames(resources);
  const offers = names.map((resource) => ({ resource, maximum: 1_000, ...terms }));
  const situation = {
    now,
    epoch: 1,
    ledgers: names.map(ledgerOf),
    providers: [
      { provider: 'burst', version: 1, description: { provider: 'burst', revision: '1', offers }, describedAt: now },
    ],
    lists: [{ provider: 'burst', sentAt: now, grants: names.map(listedGrantOf) }],
    unreachable: [],
    observation: {
      receivedAt: now,
      resources: names.map((name) => ({
        name,
        total: owned + lent,
        epoch: target.epoch,
        sequence: target.sequence,
        inUse: owned + lent,
        recentPeaks: { bucketSeconds: 60, needs: Array.from({ length: 61 }, () => owned + lent) },
      })),
      waiting: Array.from({ length: classes }, (_, index) => classOf(index, names)),
    },
  };
  return { situation, policy: { site: 'large', resources: names.map((name) => policyOf(name, classes / resources)) } };
}

function policyOf(resource: string, classesPerResource: number): ElasticPolicy {
  return {
    resource,
    owned,
    providers: ['burst'],
    providerOrder: 'listed',
    maxBorrowed: lent + Math.ceil(3 * classesPerResource),
    maxStep: 1_000,
    borrowAfterSeconds: 0,
    returnAfterSeconds: 1_800,
    headroom: 0,
    lingerSeconds: 120,
    onStale: 'keep',
    staleAfterSeconds: 600,
  };
}

const grantOf = (resource: string): Grant => ({
  id: `${resource}.g`,
  provider: 'burst',
  state: 'active',
  tokens: lent,
  requestedAt: now - 2 * hour,
  grantedAt: now - 2 * hour,
  holdUntil: now - hour,
  settledAt: now - 2 * hour,
  terms,
});

const listedGrantOf = (resource: string): ListedGrant => ({
  id: `${resource}.g`,
  resource,
  state: 'lent',
  tokens: lent,
  ageSeconds: 7_200,
  terms,
});

function ledgerOf(resource: string): ResourceLedger {
  return {
    resource,
    version: 5,
    grants: [grantOf(resource)],
    target,
    confirmed: { epoch: target.epoch, sequence: target.sequence, at: now - hour },
    backoffs: {},
    spending: { day: 0, month: 0, at: now - hour },
    lastEntry: {
      resource,
      version: 5,
      at: now - hour,
      by: 'controller',
      pass: '',
      epoch: 1,
      changes: [],
      target,
      confirmed: true,
    },
  };
}

function classOf(index: number, names: readonly string[]): WaitingClass {
  const first = names[index % names.length] ?? '';
  const second = names[(7 * index + 1) % names.length] ?? '';
  return { jobs: 1 + (index % 3), needs: { [first]: 1, [second]: 2 }, waitingSeconds: 600 - (index % 600) };
}
