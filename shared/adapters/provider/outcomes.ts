/**
 * What the answers of the provider contract mean. All providers share this, so that they differ in nothing but the way
 * in which they are spoken to. Durations alone are read from the other side, never dates.
 */
import { problem, seconds } from '../../contracts/common.ts';
import type { GrantAnswer, GrantRequest } from '../../contracts/provider.ts';
import type { ListedGrant } from '../../domain/model.ts';
import type { GrantOutcome } from '../../ports.ts';
import { visible } from '../http/faults.ts';

/** The two outcomes that every call which changes something has beside its own. */
export type NotDone =
  | { readonly outcome: 'refused'; readonly detail: string; readonly retryAfterSeconds?: number }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** `detail` may hold the other side's text, and goes into logs and history. */
export const unknownBecause = (detail: string): NotDone => ({ outcome: 'unknown', detail: visible(detail) });

export function refusedBecause(detail: string, retryAfterSeconds: number | undefined): NotDone {
  return {
    outcome: 'refused',
    detail: visible(detail),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** A refusal says in seconds when the same call may succeed, where it can. */
const refusal = problem.extend({ retryAfterSeconds: seconds.optional() });

/** These say that this call was not heard out. They say nothing of what an earlier call with the same id has done. */
const notHeard = new Set([401, 403, 407, 408, 425, 429]);

/** Of an answer that is no success. */
export function notDone(status: number, body: unknown): NotDone {
  const result = refusal.safeParse(body);
  if (!result.success) return unknownBecause(`answered ${status} without a problem document that says why`);
  const { title, detail = title, retryAfterSeconds } = result.data;
  if (status < 400 || status >= 500 || notHeard.has(status)) return unknownBecause(`answered ${status}: ${detail}`);
  return refusedBecause(detail, retryAfterSeconds);
}

export function requestOutcome(asked: GrantRequest & { readonly id: string }, answer: GrantAnswer): GrantOutcome {
  const { id, site, resource } = answer;
  if (id !== asked.id || site !== asked.site || resource !== asked.resource) {
    return unknownBecause(
      `answered for grant ${id} of ${resource} for ${site}, which is not the one that was asked for`,
    );
  }
  if (answer.state === 'pending') return { outcome: 'pending' };
  if (answer.state === 'refused') return refusedBecause(answer.reason, answer.retryAfterSeconds);
  if (answer.state === 'ended') return refusedBecause(`grant ${id} has ended already`, undefined);
  const { tokens, terms, revision, expiresInSeconds } = answer;
  if (tokens > asked.tokens)
    return unknownBecause(`granted ${tokens}, more than the ${asked.tokens} that were asked for`);
  const lease = expiresInSeconds === undefined ? {} : { expiresInSeconds };
  return { outcome: 'granted', tokens, terms: exactTerms(terms), revision, ...lease };
}

/** What the provider holds or may come to hold for the site: it says no more of a grant that is over than its absence. */
export function listedGrants(answers: readonly GrantAnswer[]): ListedGrant[] {
  return answers.flatMap((answer): ListedGrant[] => {
    if (answer.state === 'refused' || answer.state === 'ended') return [];
    const { id, resource, tokens, ageSeconds } = answer;
    const held = { id, resource, tokens, ageSeconds, terms: exactTerms(answer.terms) };
    if (answer.state === 'pending') return [{ ...held, state: 'pending' }];
    const { expiresInSeconds, recalled } = answer;
    return [
      {
        ...held,
        state: 'lent',
        ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
        ...(recalled === undefined ? {} : { recalled: exactRecall(recalled) }),
      },
    ];
  });
}

/** Without the key of what is absent, as the core has it. */
export function exactTerms<Terms extends { leaseSeconds?: number | undefined }>({
  leaseSeconds,
  ...terms
}: Terms): Omit<Terms, 'leaseSeconds'> & { leaseSeconds?: number } {
  return leaseSeconds === undefined ? terms : { ...terms, leaseSeconds };
}

function exactRecall({ withinSeconds }: { readonly withinSeconds?: number | undefined }): { withinSeconds?: number } {
  return withinSeconds === undefined ? {} : { withinSeconds };
}
