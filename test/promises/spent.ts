/** What the site has spent, by what the providers lent over time: a second opinion beside the ledger's own account. */
import type { Instant } from '../../shared/domain/model.ts';
import type { Sight } from './sight.ts';

/** `2027-01-15` or `2027-01`, in UTC. */
export function calendarPeriod(per: 'day' | 'month', at: Instant): string {
  return new Date(at).toISOString().slice(0, per === 'day' ? 10 : 7);
}

export class Spent {
  readonly #costs = new Map<string, number>();
  /** By resource: what an hour of each grant costs that was ever lent, all of it. */
  readonly #rates = new Map<string, Map<string, number>>();
  #periods: { readonly day: number; readonly names: readonly string[] } = { day: NaN, names: [] };
  #last: Sight | undefined;

  see(sight: Sight): void {
    const last = this.#last;
    this.#last = sight;
    if (last === undefined || last.lent.length === 0) return;
    const periods = this.#periodsOf(last.at);
    for (const { id, resource, tokens, terms, expiresAt = Infinity } of last.lent) {
      this.#noteRate(resource, id, tokens * terms.costPerTokenHour);
      const hours = Math.max(0, Math.min(sight.at, expiresAt) - last.at) / 3_600_000;
      for (const period of periods) {
        const key = `${resource} ${period}`;
        this.#costs.set(key, (this.#costs.get(key) ?? 0) + hours * tokens * terms.costPerTokenHour);
      }
    }
  }

  in(resource: string, period: string): number {
    return this.#costs.get(`${resource} ${period}`) ?? 0;
  }

  /** What an hour of all that was ever lent would cost. */
  hourlyRate(resource: string): number {
    return [...(this.#rates.get(resource)?.values() ?? [])].reduce((sum, rate) => sum + rate, 0);
  }

  /** Remembered, as most looks fall on the same day. */
  #periodsOf(at: Instant): readonly string[] {
    const day = Math.floor(at / 86_400_000);
    if (day !== this.#periods.day) {
      this.#periods = { day, names: (['day', 'month'] as const).map((per) => calendarPeriod(per, at)) };
    }
    return this.#periods.names;
  }

  #noteRate(resource: string, id: string, rate: number): void {
    const rates = this.#rates.get(resource) ?? new Map<string, number>();
    this.#rates.set(resource, rates.set(id, Math.max(rate, rates.get(id) ?? 0)));
  }
}
