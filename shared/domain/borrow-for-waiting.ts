/** Borrowing for the jobs that wait, over all resources at once: a job needs all of its tokens together. */
import { admit, type Supply } from './admit.ts';
import { borrow } from './borrow.ts';
import { borrowable, type Borrowable } from './borrowable.ts';
import { requestedTokens, sumTokens } from './grants.ts';
import type { Observation, Tokens } from './model.ts';
import { usedTokens } from './observed.ts';
import type { Draft, Situation } from './situation.ts';
import { wantedTotal } from './withdraw.ts';

/**
 * Adds to the drafts what is to be borrowed, and notes why it is no more. Answers the providers whose terms must be read
 * before more can be borrowed. `undecided`: resources whose ledger can't be trusted in this pass.
 */
export function borrowForWaiting(
  site: string,
  drafts: readonly Draft[],
  undecided: ReadonlySet<string>,
  situation: Situation,
): readonly string[] {
  const { observation, epoch, now } = situation;
  if (observation === undefined || observation.waiting.length === 0) return [];
  const supplies = fixedSupplies(observation);
  const borrowables = new Map<string, Borrowable>();
  const wanted = new Set(observation.waiting.flatMap(({ needs }) => Object.keys(needs)));
  for (const draft of drafts) {
    const { resource, borrowAfterSeconds } = draft.policy;
    if (!wanted.has(resource)) continue;
    if (draft.observed === undefined || undecided.has(resource)) {
      supplies.set(resource, { available: 0, borrowable: 0, borrowAfterSeconds, limit: 'its state is not known' });
      continue;
    }
    const room = borrowable(draft, situation);
    borrowables.set(resource, room);
    const available = comingTokens(draft, situation) - usedTokens(draft.observed);
    supplies.set(resource, { available, borrowable: room.tokens, borrowAfterSeconds, limit: room.limit });
  }
  admit(observation.waiting, supplies);
  const toDescribe = new Set<string>();
  for (const draft of drafts) {
    const { resource } = draft.policy;
    const supply = supplies.get(resource);
    if (supply?.note !== undefined) draft.note = supply.note;
    const room = borrowables.get(resource);
    if (supply === undefined || room === undefined) continue;
    const { cause, note, available } = supply;
    const lacking = cause !== undefined && available < 0;
    if (lacking || note !== undefined) for (const provider of room.toDescribe) toDescribe.add(provider);
    if (!lacking) continue;
    const idPrefix = `${site}.${resource}.${epoch}-${now.toString(36)}`;
    draft.changes.push(...borrow(draft, room, { tokens: -available, cause, idPrefix }));
  }
  return [...toDescribe];
}

/** What is free of each resource that the controller reports, as if none were elastic. */
function fixedSupplies({ resources }: Observation): Map<string, Supply> {
  const limit = 'all in use, and not elastic';
  return new Map(
    resources.map((resource) => [
      resource.name,
      { available: resource.total - usedTokens(resource), borrowable: 0, borrowAfterSeconds: 0, limit },
    ]),
  );
}

/**
 * The total once all that is under way has come. What a provider that does not answer was asked for may never come, so
 * others may be asked for it, within the caps.
 */
function comingTokens(draft: Draft, { unreachable }: Situation): Tokens {
  const answering = draft.ledger.grants.filter(({ provider }) => !unreachable.includes(provider));
  return wantedTotal(draft) + sumTokens(answering, requestedTokens);
}
