/** What the site has spent, by what the providers lent over time: a second opinion beside the ledger's own account. */
import type { Instant } from '../../shared/domain/model.ts';
import type { Sight } from './sight.ts';

/** `2027-01-15` or `2027-01`, in UTC. */
export function calendarPeriod(per: 'day' | 'month', at: Instant): string {
  return new Date(at).toISOString().slice(0, per === 'day' ? 10 : 7);
}

export class Spent {
  readonly #costs = new Map<string, number>();
  #last: Sight | undefined;

  see(sight: Sight): void {
    const last = this.#last;
    this.#last = sight;
    if (last === undefined) return;
    for (const { resource, tokens, terms, expiresAt = Infinity } of last.lent) {
      const hours = Math.max(0, Math.min(sight.at, expiresAt) - last.at) / 3_600_000;
      for (const per of ['day', 'month'] as const) {
        const key = `${resource} ${calendarPeriod(per, last.at)}`;
        this.#costs.set(key, (this.#costs.get(key) ?? 0) + hours * tokens * terms.costPerTokenHour);
      }
    }
  }

  in(resource: string, period: string): number {
    return this.#costs.get(`${resource} ${period}`) ?? 0;
  }
}
