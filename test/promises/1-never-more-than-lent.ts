import type { SitePolicy, Tokens } from '../../shared/domain/model.ts';
import type { BrokenWords } from './broken-words.ts';
import { breaker, type Check } from './check.ts';
import { lentTokens, type Lent, type Sight } from './sight.ts';

const broken = breaker(1, 'never more than lent');

/** At every instant the controller's total is at most what is owned and what the providers count as lent. */
export function neverMoreThanLent({ resources }: SitePolicy, words: BrokenWords): Check {
  const lapses = new Lapses();
  return {
    seen(sight) {
      lapses.see(sight);
      for (const { resource, owned } of resources) {
        const excess = excessOver(sight, { resource, owned, lent: lentTokens(sight.lent, resource) }, words, lapses);
        if (excess > 0) {
          const { total = 0, inUse = 0 } = sight.controller.get(resource) ?? {};
          const lent = lentTokens(sight.lent, resource);
          broken(
            sight.at,
            `${resource}: the total is ${total} (${inUse} in use), ${owned} are owned and ${lent} are lent`,
          );
        }
      }
    },
  };
}

/** Grants whose lease has run out: what of them is in use can't be taken from running jobs (*overdue*). */
export class Lapses {
  readonly #endsAt = new Map<string, number>();

  see({ lent }: Sight): void {
    for (const { id, expiresAt } of lent) if (expiresAt !== undefined) this.#endsAt.set(id, expiresAt);
  }

  has(id: string, at: number): boolean {
    return (this.#endsAt.get(id) ?? Infinity) <= at;
  }
}

/** Tokens of the total for which there is no cover and no exemption. */
export function excessOver(
  { at, controller, ledgers, lent }: Sight,
  cover: { readonly resource: string; readonly owned: Tokens; readonly lent: Tokens },
  words: BrokenWords,
  lapses: Lapses,
): Tokens {
  const { total = 0, inUse = 0 } = controller.get(cover.resource) ?? {};
  const excess = total - cover.owned - cover.lent;
  if (excess <= 0 || words.fellBack.has(cover.resource)) return 0;
  const gone = (ledgers.get(cover.resource)?.grants ?? []).filter(({ id }) => !isLent(lent, id));
  const revoked = sum(gone.filter(({ id }) => words.revoked.has(id)));
  const overdue = Math.min(
    sum(gone.filter(({ id }) => lapses.has(id, at))),
    Math.max(0, inUse - cover.owned - cover.lent),
  );
  return Math.max(0, excess - revoked - overdue);
}

function isLent(lent: readonly Lent[], id: string): boolean {
  return lent.some((grant) => grant.id === id);
}

function sum(grants: readonly { readonly tokens: Tokens }[]): Tokens {
  return grants.reduce((tokens, grant) => tokens + grant.tokens, 0);
}
