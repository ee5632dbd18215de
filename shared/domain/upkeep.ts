/** Brings a ledger in line with what has changed around it: the site file, the controller, the providers. */
import { isConfirmed, isNewer, totalOf } from './ledger.ts';
import { listGraceSeconds } from './limits.ts';
import type { Change, Grant, ListedGrant, ObservedResource, ProviderList } from './model.ts';
import { knowsNewer } from './outcomes.ts';
import type { Alarm, Draft, Situation } from './situation.ts';
import { count } from './words.ts';

export interface Findings {
  readonly make: (change: Change) => void;
  readonly alarm: (alarm: Alarm) => void;
  /** This provider's list must be read before this resource is decided. */
  readonly needList: (provider: string) => void;
}

/** Answers whether the resource can be decided further in this pass. */
export function upkeep(
  draft: Draft,
  situation: Situation,
  lists: readonly ListByResource[],
  findings: Findings,
): boolean {
  const { policy, ledger, observed } = draft;
  const behind = observed !== undefined && knowsNewer(ledger, observed);
  if (behind && !mayCatchUp(draft, observed, situation, findings)) return false;
  if (ledger.version === 0) {
    findings.make({ kind: 'opened', owned: policy.owned, reason: `the site owns ${count(policy.owned, 'token')}` });
  } else if (ledger.target.owned !== policy.owned) {
    const reason = `the site file says ${policy.owned} owned, it was ${ledger.target.owned}`;
    findings.make({ kind: 'retarget', owned: policy.owned, afterSequence: 0, reason });
  }
  for (const list of lists) compareWithList(draft, list, findings);
  if (behind) {
    const reason = `the controller has accepted ${shown(observed)}, newer than this ledger; all providers have been asked`;
    const afterSequence = observed.epoch === situation.epoch ? observed.sequence : 0;
    findings.make({ kind: 'retarget', owned: policy.owned, afterSequence, reason });
  } else compareWithController(draft, situation, findings);
  return true;
}

/** Whatever order they were read in, the decision is the same. */
export function inOrder(lists: readonly ProviderList[]): readonly ProviderList[] {
  return lists
    .map((list) => ({ ...list, grants: [...list.grants].sort((a, b) => (a.id < b.id ? -1 : 1)) }))
    .sort((a, b) => (a.provider < b.provider ? -1 : 1));
}

function shown({ epoch, sequence }: ObservedResource): string {
  return `(epoch ${epoch}, sequence ${sequence})`;
}

/** Old grants may have ended since, so no total may be built on them before each provider has been asked. */
function mayCatchUp(
  { policy, ledger }: Draft,
  observed: ObservedResource,
  { epoch, lists }: Situation,
  findings: Findings,
): boolean {
  findings.alarm({
    name: 'ledger-behind',
    message: `${policy.resource}: the controller has accepted ${shown(observed)}, which this ledger never wrote; was it restored from a backup?`,
  });
  const lenders = new Set([...policy.providers, ...ledger.grants.map(({ provider }) => provider)]);
  const unread = [...lenders].filter((name) => !lists.some(({ provider }) => provider === name));
  unread.forEach((provider) => findings.needList(provider));
  // No target of ours can be newer than an epoch beyond our lease.
  return unread.length === 0 && observed.epoch <= epoch;
}

function compareWithController(draft: Draft, { epoch }: Situation, findings: Findings): void {
  const { policy, observed, ledger } = draft;
  if (observed === undefined) return;
  const { owned } = policy;
  const seen = shown(observed);
  if (ledger.confirmed !== undefined && isNewer(ledger.confirmed, observed)) {
    const reason = `the controller shows ${seen}, older than what it had confirmed`;
    findings.alarm({ name: 'controller-fell-back', message: `${policy.resource}: ${reason}` });
    findings.make({ kind: 'unconfirmed', reason });
  } else if (observed.sequence === ledger.target.sequence && observed.total > totalOf(ledger.target)) {
    const message = `${policy.resource}: the controller applies ${observed.total} although it accepted ${totalOf(ledger.target)}`;
    findings.alarm({ name: 'controller-exceeds-total', message });
  }
  if (ledger.version > 0 && !isConfirmed(ledger) && ledger.target.epoch < epoch) {
    const reason = `the lease has moved on to epoch ${epoch} before the total was confirmed`;
    findings.make({ kind: 'retarget', owned, afterSequence: 0, reason });
  }
}

/** A provider's list in the order in which it is looked up. */
export interface ListByResource {
  readonly list: ProviderList;
  readonly grants: ReadonlyMap<string, readonly ListedGrant[]>;
}

export function byResource(list: ProviderList): ListByResource {
  const grants = new Map<string, ListedGrant[]>();
  for (const grant of list.grants) {
    const ofResource = grants.get(grant.resource);
    if (ofResource === undefined) grants.set(grant.resource, [grant]);
    else ofResource.push(grant);
  }
  return { list, grants };
}

function compareWithList(draft: Draft, { list, grants }: ListByResource, findings: Findings): void {
  const lent = grants.get(draft.policy.resource) ?? [];
  if (lent.length === 0 && draft.ledger.grants.length === 0) return;
  const ours = draft.ledger.grants.filter(({ provider }) => provider === list.provider);
  const listed = new Map(lent.map((grant) => [grant.id, grant]));
  for (const grant of ours) compareGrant(grant, listed.get(grant.id), list, draft, findings);
  const known = new Set(ours.map(({ id }) => id));
  for (const grant of lent) if (!known.has(grant.id)) takeOver(grant, list, findings);
}

function takeOver(
  { id, resource, state, tokens, ageSeconds, ...rest }: ListedGrant,
  list: ProviderList,
  findings: Findings,
): void {
  if (state !== 'lent' || ageSeconds < listGraceSeconds) return;
  const { terms, expiresInSeconds } = rest;
  const reason = `${list.provider} lends ${count(tokens, 'token')} under an id that the ledger does not hold`;
  findings.alarm({ name: 'orphan-grant', message: `${resource}: ${reason} (${id}); taken over` });
  findings.make({
    kind: 'adopted',
    grant: id,
    provider: list.provider,
    tokens,
    terms,
    reason,
    ...(expiresInSeconds === undefined ? {} : { expiresAt: list.sentAt + expiresInSeconds * 1000 }),
  });
}

function compareGrant(
  grant: Grant,
  listed: ListedGrant | undefined,
  list: ProviderList,
  { policy }: Draft,
  { make, alarm }: Pick<Findings, 'make' | 'alarm'>,
): void {
  if (grant.grantedAt === undefined || grant.recall?.kind === 'lost' || grant.return?.phase === 'returning') return;
  const recorded = (list.sentAt - grant.grantedAt) / 1000;
  if (listed?.state !== 'lent' || listed.tokens < grant.tokens) {
    if (recorded < listGraceSeconds) return;
    const reason = `${list.provider} lends ${listed?.state === 'lent' ? listed.tokens : 0} of ${grant.tokens} under this grant`;
    alarm({ name: 'grant-lost', message: `${policy.resource}: ${reason} (${grant.id})` });
    make({ kind: 'recalled', grant: grant.id, recall: { kind: 'lost' }, reason });
    return;
  }
  if (listed.tokens > grant.tokens) {
    const message = `${policy.resource}: ${list.provider} lends ${listed.tokens} under ${grant.id}, the ledger holds ${grant.tokens}`;
    alarm({ name: 'orphan-grant', message });
  }
  if (listed.recalled !== undefined && grant.recall === undefined) {
    const within = listed.recalled.withinSeconds;
    const by = within === undefined ? {} : { by: list.sentAt + within * 1000 };
    make({
      kind: 'recalled',
      grant: grant.id,
      recall: { kind: 'recalled', ...by },
      reason: `${list.provider} wants it back`,
    });
  }
}
