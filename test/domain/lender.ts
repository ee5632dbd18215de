/** A provider as the contract wants it, small enough to be read at a glance; it fails a test that breaks its terms. */
import assert from 'node:assert/strict';
import type { Instant, ListedGrant, Offer, ProviderList, Tokens } from '../../shared/domain/model.ts';
import type { GrantOutcome, RenewOutcome, ReturnOutcome } from '../../shared/domain/outcomes.ts';

interface Loan {
  readonly id: string;
  readonly resource: string;
  readonly asked: Tokens;
  readonly madeAt: Instant;
  readonly offer: Offer;
  readonly returns: Map<string, Tokens>;
  tokens: Tokens;
  recalled: boolean;
  endsAt: Instant;
}

export class Lender {
  readonly loans = new Map<string, Loan>();
  readonly #barred = new Set<string>();
  readonly #refused = new Map<string, GrantOutcome>();
  readonly name: string;
  readonly offers: readonly Offer[];
  capacity: Tokens;

  constructor(name: string, capacity: Tokens, offers: readonly Offer[]) {
    this.name = name;
    this.capacity = capacity;
    this.offers = offers;
  }

  lent(resource: string): Tokens {
    return [...this.loans.values()].reduce((sum, loan) => sum + (loan.resource === resource ? loan.tokens : 0), 0);
  }

  request(id: string, resource: string, asked: Tokens, now: Instant): GrantOutcome {
    if (this.#barred.has(id)) return { outcome: 'refused', detail: 'ended' };
    const before = this.#refused.get(id);
    if (before !== undefined) return before;
    let loan = this.loans.get(id);
    if (loan === undefined) {
      const offer = this.offers.find((offer) => offer.resource === resource);
      if (offer === undefined) throw new Error(`${this.name} does not lend ${resource}`);
      const room = Math.min(asked, this.capacity - this.lent(resource), offer.maximum - this.lent(resource));
      const tokens = Math.floor(Math.max(0, room) / offer.block) * offer.block;
      if (tokens === 0) {
        this.#refused.set(id, { outcome: 'refused', detail: 'all lent' });
        return { outcome: 'refused', detail: 'all lent' };
      }
      const endsAt = now + (offer.leaseSeconds ?? Infinity) * 1_000;
      loan = { id, resource, asked, tokens, madeAt: now, offer, returns: new Map(), recalled: false, endsAt };
      this.loans.set(id, loan);
    }
    assert.deepEqual([loan.resource, loan.asked], [resource, asked], `the body of ${id}`);
    if (loan.tokens === 0) return { outcome: 'refused', detail: 'ended' };
    const expiry = loan.endsAt === Infinity ? {} : { expiresInSeconds: (loan.endsAt - now) / 1_000 };
    return { outcome: 'granted', tokens: loan.tokens, terms: loan.offer, revision: '1', ...expiry };
  }

  giveBack(id: string, returnId: string, tokens: Tokens, now: Instant): ReturnOutcome {
    const loan = this.loans.get(id);
    if (loan === undefined) this.#barred.add(id);
    if (loan === undefined || loan.tokens === 0) return { outcome: 'returned', tokens: 0 };
    const done = loan.returns.get(returnId);
    if (done === undefined) {
      if (!loan.recalled && now < loan.madeAt + loan.offer.minimumHoldSeconds * 1_000) {
        return { outcome: 'refused', detail: 'minimum hold' };
      }
      if (tokens > loan.tokens) return { outcome: 'refused', detail: 'more than lent' };
      const { block, partialReturns } = loan.offer;
      assert.ok(tokens % block === 0 && (partialReturns || tokens === loan.tokens), `the part of ${id}`);
      loan.tokens -= tokens;
      loan.returns.set(returnId, tokens);
    } else assert.equal(tokens, done, `the body of return ${returnId}`);
    return { outcome: 'returned', tokens: loan.tokens };
  }

  renew(id: string, now: Instant): RenewOutcome {
    const loan = this.loans.get(id);
    if (loan === undefined || loan.tokens === 0 || loan.recalled || loan.offer.leaseSeconds === undefined) {
      return { outcome: 'refused', detail: 'not lent' };
    }
    loan.endsAt = now + loan.offer.leaseSeconds * 1_000;
    return { outcome: 'renewed', leaseSeconds: loan.offer.leaseSeconds };
  }

  expire(now: Instant): void {
    for (const loan of this.loans.values()) if (loan.endsAt <= now) loan.tokens = 0;
  }

  recallAll(): void {
    for (const loan of this.loans.values()) loan.recalled = true;
  }

  list(now: Instant): ProviderList {
    const grants = [...this.loans.values()].map(
      ({ id, resource, tokens, madeAt, offer, recalled, endsAt }): ListedGrant => ({
        id,
        resource,
        state: tokens > 0 ? 'lent' : 'ended',
        tokens,
        ageSeconds: (now - madeAt) / 1_000,
        terms: offer,
        ...(recalled ? { recalled: {} } : {}),
        ...(endsAt === Infinity ? {} : { expiresInSeconds: (endsAt - now) / 1_000 }),
      }),
    );
    return { provider: this.name, sentAt: now, grants };
  }
}
