import type { SitePolicy } from '../../shared/domain/model.ts';
import { excessOver, Lapses } from './1-never-more-than-lent.ts';
import type { BrokenWords } from './broken-words.ts';
import { breaker, type Check } from './check.ts';
import { lentTokens } from './sight.ts';

const broken = breaker(2, 'never take back what is used');

/**
 * When a provider is told of a return, the controller already applies a total without these tokens; and the controller
 * never applies a total below what is in use.
 */
export function neverTakeBackWhatIsUsed({ resources }: SitePolicy, words: BrokenWords): Check {
  const lapses = new Lapses();
  /** By resource: how far a controller that fell back has use above its total; it can only wait for jobs to end. */
  const above = new Map<string, number>();
  const ownedOf = new Map(resources.map(({ resource, owned }) => [resource, owned]));
  return {
    seen(sight) {
      lapses.see(sight);
      for (const [resource, { total, inUse }] of sight.controller) {
        if (inUse <= total) above.delete(resource);
        else if (words.fellBack.has(resource) || inUse - total <= (above.get(resource) ?? 0)) {
          above.set(resource, inUse - total);
        } else broken(sight.at, `${resource}: ${inUse} are in use of a total of ${total}`);
      }
    },
    called(call, sight) {
      if (call.method !== 'giveBack') return;
      const [id, returnId, tokens] = call.arguments;
      const grant = sight.lent.find((lent) => lent.id === id);
      const owned = ownedOf.get(grant?.resource ?? '');
      if (grant === undefined || owned === undefined) return;
      if (grant.returns.some((done) => done.returnId === returnId)) return;
      const { resource } = grant;
      const lent = lentTokens(sight.lent, resource) - Math.min(tokens, grant.tokens);
      if (excessOver(sight, { resource, owned, lent }, words, lapses) > 0) {
        const total = sight.controller.get(resource)?.total ?? 0;
        broken(sight.at, `${tokens} of ${id} are given back while the controller's total of ${resource} is ${total}`);
      }
    },
  };
}
