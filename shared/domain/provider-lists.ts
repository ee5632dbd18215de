/** What a provider's list of grants says about a ledger: grants that are lost, recalled, or not known here. */
import { countedTokens } from './grants.ts';
import { listGraceSeconds, maxOpenGrants } from './limits.ts';
import type { Grant, Instant, ListedGrant, ProviderList } from './model.ts';
import type { Draft } from './situation.ts';
import type { Findings } from './upkeep.ts';
import { count } from './words.ts';

/** A provider's list in the order in which it is looked up. */
export interface ListByResource {
  readonly list: ProviderList;
  /** By resource, each in the order of the ids. */
  readonly grants: ReadonlyMap<string, readonly ListedGrant[]>;
}

/** In the order of names and ids, so that the decision is the same whatever order they were read in. */
export function byResource(lists: readonly ProviderList[]): readonly ListByResource[] {
  return lists
    .map((list) => {
      const grants = new Map<string, ListedGrant[]>();
      for (const grant of [...list.grants].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const ofResource = grants.get(grant.resource);
        if (ofResource === undefined) grants.set(grant.resource, [grant]);
        else ofResource.push(grant);
      }
      return { list, grants };
    })
    .sort((a, b) => (a.list.provider < b.list.provider ? -1 : 1));
}

/** Compares the grants of one resource, and says what is found. */
export function compareWithList(draft: Draft, { list, grants }: ListByResource, findings: Findings): void {
  const listed = grants.get(draft.policy.resource) ?? [];
  if (listed.length === 0 && draft.ledger.grants.length === 0) return;
  const ours = draft.ledger.grants.filter(({ provider }) => provider === list.provider);
  const listedById = new Map(listed.map((grant) => [grant.id, grant]));
  for (const grant of ours) compareGrant(grant, listedById.get(grant.id), list, draft, findings);
  const known = new Set(ours.map(({ id }) => id));
  takeOver(
    listed.filter(({ id, state, ageSeconds }) => state === 'lent' && ageSeconds >= listGraceSeconds && !known.has(id)),
    list,
    draft,
    findings,
  );
}

/**
 * What was asked for and never answered here, but is lent: whoever wrote a total that this ledger knows nothing of may
 * count it, so it is granted, and neither asked for again nor abandoned.
 */
export function grantWhatIsLent(
  draft: Draft,
  { list, grants }: ListByResource,
  now: Instant,
  { make }: Findings,
): void {
  for (const { id, state, tokens, terms, expiresInSeconds } of grants.get(draft.policy.resource) ?? []) {
    const asked = draft.ledger.grants.find((grant) => grant.id === id && grant.provider === list.provider);
    if (state !== 'lent' || asked?.state !== 'requested') continue;
    make({
      kind: 'granted',
      grant: id,
      tokens: Math.min(tokens, asked.tokens),
      terms,
      ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
      sentAt: list.sentAt,
      receivedAt: now,
      reason: `${list.provider} lends ${count(tokens, 'token')}`,
    });
  }
}

/**
 * What is lent no more: another deployment gave it back, under a total that this ledger never wrote. So no total may
 * count it, not even while its tokens look used.
 */
export function dropWhatIsGone(draft: Draft, { list, grants }: ListByResource, { make }: Findings): void {
  const listed = new Map((grants.get(draft.policy.resource) ?? []).map((grant) => [grant.id, grant]));
  for (const grant of draft.ledger.grants) {
    if (grant.provider !== list.provider || grant.grantedAt === undefined) continue;
    if ((list.sentAt - grant.grantedAt) / 1000 < listGraceSeconds) continue;
    const known = listed.get(grant.id);
    const gone = grant.tokens - (known?.state === 'lent' ? known.tokens : 0);
    if (gone <= 0) continue;
    const reason = `${list.provider} no longer lends ${count(gone, 'token')} of it`;
    make({ kind: 'returned', grant: grant.id, tokens: gone, elsewhere: true, reason });
  }
}

/** Takes as many strange grants into the ledger as it has room for; the others come when these have gone back. */
function takeOver(
  strange: readonly ListedGrant[],
  { provider, sentAt }: ProviderList,
  { policy: { resource }, ledger }: Draft,
  { make, alarm }: Findings,
): void {
  const room = Math.max(0, maxOpenGrants - ledger.grants.length);
  for (const { id, tokens, terms, expiresInSeconds } of strange.slice(0, room)) {
    const reason = `${provider} lends ${count(tokens, 'token')} under an id that the ledger does not hold`;
    alarm({ name: 'orphan-grant', message: `${resource}: ${reason} (${id}); taken over` });
    const end = expiresInSeconds === undefined ? {} : { expiresAt: sentAt + expiresInSeconds * 1000 };
    make({ kind: 'adopted', grant: id, provider, tokens, terms, reason, ...end });
  }
  if (strange.length > room) {
    const message = `${resource}: ${provider} lends under ids that the ledger does not hold and has no room for (${strange.length - room} more)`;
    alarm({ name: 'orphan-grant', message });
  }
}

function compareGrant(
  grant: Grant,
  listed: ListedGrant | undefined,
  { provider, sentAt }: ProviderList,
  { policy: { resource } }: Draft,
  { make, alarm }: Findings,
): void {
  if (grant.grantedAt === undefined || grant.recall?.kind === 'lost') return;
  // The provider may already have taken back what is returning.
  const expected = grant.return?.phase === 'returning' ? countedTokens(grant) : grant.tokens;
  if (expected === 0) return;
  if (listed?.state !== 'lent' || listed.tokens < expected) {
    if ((sentAt - grant.grantedAt) / 1000 < listGraceSeconds) return;
    const reason = `${provider} lends ${listed?.state === 'lent' ? listed.tokens : 0} of ${expected} under this grant`;
    alarm({ name: 'grant-lost', message: `${resource}: ${reason} (${grant.id})` });
    make({ kind: 'recalled', grant: grant.id, recall: { kind: 'lost' }, reason });
    return;
  }
  if (grant.return?.phase === 'returning' && listed.tokens === expected) {
    // An earlier call has arrived and its answer has not, or another deployment gave them back.
    const { tokens } = grant.return;
    make({
      kind: 'returned',
      grant: grant.id,
      tokens,
      reason: `${provider} no longer lends ${count(tokens, 'token')}`,
    });
    return;
  }
  if (listed.tokens > grant.tokens) {
    const message = `${resource}: ${provider} lends ${listed.tokens} under ${grant.id}, the ledger holds ${grant.tokens}`;
    alarm({ name: 'orphan-grant', message });
  }
  if (listed.recalled !== undefined && grant.recall === undefined) {
    const within = listed.recalled.withinSeconds;
    const by = within === undefined ? {} : { by: sentAt + within * 1000 };
    const recall = { kind: 'recalled', ...by } as const;
    make({ kind: 'recalled', grant: grant.id, recall, reason: `${provider} wants it back` });
  }
}
