/** Small, whole values to say one thing at a time with. Ledgers come about through `record` alone, as in the product. */
import { decide } from '../../shared/domain/decide.ts';
import { emptyLedger, record, totalOf } from '../../shared/domain/ledger.ts';
import type {
  Change,
  ElasticPolicy,
  Grant,
  GrantTerms,
  Instant,
  ListedGrant,
  Observation,
  ObservedResource,
  Offer,
  ProviderList,
  ProviderRecord,
  RecentPeaks,
  ResourceLedger,
  SitePolicy,
  Tokens,
  WaitingClass,
} from '../../shared/domain/model.ts';
import type { ResourceDecision, Situation } from '../../shared/domain/situation.ts';

export const second = 1_000;
export const minute = 60_000;
export const hour = 3_600_000;
export const noon = Date.UTC(2027, 0, 15, 12);
export const epoch = 3;

export function policyOf(changes: Partial<ElasticPolicy> = {}): ElasticPolicy {
  return {
    resource: 'hfsshpc',
    owned: 100,
    providers: ['burst'],
    providerOrder: 'listed',
    maxBorrowed: 200,
    maxStep: 200,
    borrowAfterSeconds: 0,
    returnAfterSeconds: 600,
    headroom: 0,
    lingerSeconds: 120,
    onStale: 'keep',
    staleAfterSeconds: 600,
    ...changes,
  };
}

export function siteOf(...resources: readonly ElasticPolicy[]): SitePolicy {
  return { site: 'lab', resources };
}

export function termsOf(changes: Partial<GrantTerms> = {}): GrantTerms {
  return { block: 1, minimumHoldSeconds: 0, partialReturns: true, costPerTokenHour: 1, ...changes };
}

export function offerOf(changes: Partial<Offer> = {}): Offer {
  return { resource: 'hfsshpc', maximum: 500, ...termsOf(), ...changes };
}

/** A provider that has just described itself. */
export function providerOf(provider: string, ...offers: readonly Offer[]): ProviderRecord {
  return { provider, version: 1, describedAt: noon, description: { provider, revision: '1', offers } };
}

export interface Loan {
  readonly id: string;
  readonly tokens: Tokens;
  readonly provider?: string;
  readonly terms?: Partial<GrantTerms>;
  /** When it was asked for, and granted in the same instant. */
  readonly at?: Instant;
  /** The provider has not answered (yet). */
  readonly unanswered?: boolean;
}

/** A ledger that borrowed these an hour before noon; the controller has confirmed its total. */
export function ledgerOf({ resource, owned }: ElasticPolicy, ...loans: readonly Loan[]): ResourceLedger {
  const start = noon - hour;
  let ledger = write(emptyLedger(resource, start), start, { kind: 'opened', owned, reason: 'it begins' });
  for (const loan of loans) ledger = write(ledger, loan.at ?? start, ...lending(loan));
  return confirm(ledger, start);
}

function lending({ id, tokens, provider = 'burst', terms = {}, at = noon - hour, unanswered }: Loan): Change[] {
  const common = { grant: id, tokens, terms: termsOf(terms), reason: 'jobs wait' };
  const asked: Change = { kind: 'borrow', provider, ...common };
  return unanswered ? [asked] : [asked, { kind: 'granted', sentAt: at, receivedAt: at, ...common }];
}

export function write(ledger: ResourceLedger, at: Instant, ...changes: readonly Change[]): ResourceLedger {
  return record(ledger, changes, { at, by: 'decide', pass: 'p', epoch });
}

export function confirm(ledger: ResourceLedger, at: Instant = noon): ResourceLedger {
  const { epoch, sequence } = ledger.target;
  return write(ledger, at, { kind: 'confirmed', epoch, sequence, reason: 'applied' });
}

export function grantIn(ledger: ResourceLedger, id: string): Grant {
  const grant = ledger.grants.find((grant) => grant.id === id);
  if (grant === undefined) throw new Error(`the ledger holds no grant ${id}`);
  return grant;
}

/** Each minute of the last hour and the current one had this need. */
export function steady(need: Tokens | null, minutes = 61): RecentPeaks {
  return { bucketSeconds: 60, needs: Array.from({ length: minutes }, () => need) };
}

/** The controller applies what the ledger wants; nothing has been used for an hour unless said otherwise. */
export function observedOf(ledger: ResourceLedger, changes: Partial<ObservedResource> = {}): ObservedResource {
  const inUse = changes.inUse ?? 0;
  return {
    name: ledger.resource,
    total: totalOf(ledger.target),
    epoch: ledger.target.epoch,
    sequence: ledger.target.sequence,
    inUse,
    recentPeaks: steady(inUse),
    ...changes,
  };
}

export function look(
  resources: readonly ObservedResource[],
  waiting: readonly WaitingClass[] = [],
  receivedAt = noon,
): Observation {
  return { receivedAt, resources, waiting };
}

export function waitingOf(jobs: number, needs: Record<string, Tokens>, waitingSeconds = 300): WaitingClass {
  return { jobs, needs, waitingSeconds };
}

export function situationOf(changes: Partial<Situation> = {}): Situation {
  return {
    now: noon,
    epoch,
    ledgers: [],
    providers: [providerOf('burst', offerOf())],
    lists: [],
    unreachable: [],
    ...changes,
  };
}

/** A situation, apart from its one ledger. */
export interface Circumstances extends Partial<Situation> {
  readonly seen?: Partial<ObservedResource>;
  readonly waiting?: readonly WaitingClass[];
}

/** The controller has just reported the resource of this ledger as `seen`, and the jobs that wait for it. */
export function situationWith(
  ledger: ResourceLedger,
  { seen = {}, waiting = [], ...changes }: Circumstances = {},
): Situation {
  const observation = look([observedOf(ledger, seen)], waiting, changes.now);
  return situationOf({ ledgers: [ledger], observation, ...changes });
}

export function listOf(provider: string, ...grants: readonly ListedGrant[]): ProviderList {
  return { provider, sentAt: noon, grants };
}

export function listedOf(changes: Partial<ListedGrant> & Pick<ListedGrant, 'id'>): ListedGrant {
  return { resource: 'hfsshpc', state: 'lent', tokens: 10, ageSeconds: 3_600, terms: termsOf(), ...changes };
}

/** What is decided for one resource; no changes and no note where the decision is silent about it. */
export function decisionFor(policy: ElasticPolicy, situation: Situation): ResourceDecision {
  const { resources } = decide(situation, siteOf(policy));
  return resources.find(({ resource }) => resource === policy.resource) ?? { resource: policy.resource, changes: [] };
}

/** The changes of one kind, without their reasons. */
export function ofKind<Kind extends Change['kind']>(
  { changes }: Pick<ResourceDecision, 'changes'>,
  kind: Kind,
): Extract<Change, { kind: Kind }>[] {
  return changes.filter((change): change is Extract<Change, { kind: Kind }> => change.kind === kind);
}

export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
