import type { BrokenWords } from './broken-words.ts';
import { breaker, type Check } from './check.ts';

const broken = breaker(4, 'nothing lost');

/** Every grant that a provider holds for the site is in the ledger, with at least as many tokens as are lent. */
export function nothingLost(words: BrokenWords): Check {
  return {
    seen({ at, lent, ledgers }) {
      if (at < words.missingUntil) return;
      for (const { id, resource, tokens, provider } of lent) {
        const ledger = ledgers.get(resource);
        const held = ledger?.grants.find((grant) => grant.id === id && grant.provider === provider)?.tokens ?? 0;
        if (tokens > held) broken(at, `${provider} lends ${tokens} ${resource} under ${id}, the ledger holds ${held}`);
      }
    },
  };
}
