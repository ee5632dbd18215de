import { describe, expect, it } from 'vitest';
import { totalOf } from '../../shared/domain/ledger.ts';
import type { ElasticPolicy, ResourceLedger, SpendingCap } from '../../shared/domain/model.ts';
import { committedSpending, leastPrice } from '../../shared/domain/spending.ts';
import {
  confirm,
  decisionFor,
  hour,
  ledgerOf,
  noon,
  offerOf,
  ofKind,
  policyOf,
  providerOf,
  situationWith,
  termsOf,
  waitingOf,
  write,
} from './builders.ts';
import { short } from './shortage.ts';

const hold = { minimumHoldSeconds: 7_200 };
const providers = [providerOf('burst', offerOf(hold))];
const capped = (amount: number, per: SpendingCap['per'] = 'day') => policyOf({ spendingCap: { amount, per } });

function borrowable(policy: ElasticPolicy, ledger: ResourceLedger, now = noon): number {
  const waiting = [waitingOf(1_000, { hfsshpc: 1 })];
  const situation = situationWith(ledger, { seen: { inUse: totalOf(ledger.target) }, waiting, now, providers });
  const [request] = ofKind(decisionFor(policy, situation), 'borrow');
  return request?.tokens ?? 0;
}

function giveBack(ledger: ResourceLedger, grant: string, tokens: number, at: number): ResourceLedger {
  const withdrawn = write(ledger, at, { kind: 'withdraw', grant, returnId: `${grant}.r`, tokens, reason: '' });
  return write(confirm(withdrawn, at), at, { kind: 'returned', grant, tokens, reason: '' });
}

describe('the least price of a token', () => {
  it('is that of the minimum hold, or of the time in which it has to be seen unused', () => {
    const policy = policyOf({ returnAfterSeconds: 1_800 });
    expect(leastPrice(termsOf({ costPerTokenHour: 4, minimumHoldSeconds: 7_200 }), policy)).toBe(8);
    expect(leastPrice(termsOf({ costPerTokenHour: 4, minimumHoldSeconds: 60 }), policy)).toBe(2);
  });
});

describe('the spending cap', () => {
  it('lets through what it can pay for the minimum hold', () => {
    expect(borrowable(capped(20), ledgerOf(policyOf()))).toBe(10);
    expect(borrowable(capped(1.9), ledgerOf(policyOf()))).toBe(0);
  });

  it('leaves what costs nothing alone', () => {
    const free = [providerOf('burst', offerOf({ costPerTokenHour: 0 }))];
    const ledger = ledgerOf(policyOf());
    const decision = decisionFor(capped(0), short(ledger, 32, { providers: free }));
    expect(ofKind(decision, 'borrow')).toMatchObject([{ tokens: 32 }]);
  });

  it('counts requests whose answer is not known at what they will cost at least', () => {
    const unknown = ledgerOf(policyOf(), { id: 'a', tokens: 6, terms: hold, at: noon, unanswered: true });
    expect(borrowable(capped(20), unknown)).toBe(4);
  });

  it('counts them as if they had been lent since they were first asked for', () => {
    const asked = { id: 'a', tokens: 6, terms: hold, at: noon - 1_800_000, unanswered: true };
    expect(borrowable(capped(20), ledgerOf(policyOf(), asked))).toBe(2);
  });

  it('commits as much for a grant as for the request that led to it', () => {
    for (const terms of [termsOf(hold), termsOf({ minimumHoldSeconds: 0 })]) {
      const policy = capped(100);
      const asked = ledgerOf(policy, { id: 'a', tokens: 6, at: noon, terms, unanswered: true });
      const granted = ledgerOf(policy, { id: 'a', tokens: 6, at: noon, terms });
      expect(committedSpending(granted, policy, noon)).toBe(committedSpending(asked, policy, noon));
    }
  });

  it('counts what open grants have cost and are bound to cost until their hold is over', () => {
    const policy = capped(100);
    const lent = ledgerOf(policy, { id: 'a', tokens: 6, terms: hold, at: noon });
    expect(committedSpending(lent, policy, noon)).toBe(12);
    expect(committedSpending(lent, policy, noon + hour)).toBe(12);
    expect(committedSpending(lent, policy, noon + 5 * hour)).toBe(30);
  });

  it('books returned tokens once, and what stays goes on costing', () => {
    const policy = capped(100);
    const lent = ledgerOf(policy, { id: 'a', tokens: 6, terms: hold, at: noon });
    const less = giveBack(lent, 'a', 4, noon + 3 * hour);
    expect(committedSpending(less, policy, noon + 3 * hour)).toBe(18);
    expect(committedSpending(less, policy, noon + 5 * hour)).toBe(12 + 10);
    const none = giveBack(less, 'a', 2, noon + 5 * hour);
    expect(committedSpending(none, policy, noon + 6 * hour)).toBe(22);
  });

  it('begins anew with each UTC day or month, for open grants as for those that ended', () => {
    const lent = ledgerOf(policyOf(), { id: 'a', tokens: 6, at: noon }, { id: 'b', tokens: 1, at: noon });
    const booked = giveBack(lent, 'a', 6, noon + 2 * hour);
    const nextDay = Date.UTC(2027, 0, 16, 1);
    expect(committedSpending(booked, capped(100, 'day'), nextDay)).toBe(1);
    expect(committedSpending(booked, capped(100, 'month'), nextDay)).toBe(12 + 13);
    expect(committedSpending(booked, capped(100, 'month'), Date.UTC(2027, 1, 1, 3))).toBe(3);
  });

  it('says in the note that it is what keeps jobs waiting', () => {
    const ledger = ledgerOf(policyOf());
    const decide = (amount: number) => decisionFor(capped(amount), short(ledger, 32, { providers })).note;
    expect(decide(1)).toContain('the spending cap leaves no more for burst');
    expect(decide(20)).toContain('the spending cap leaves no more');
  });
});

describe('past the spending cap', () => {
  const policy = capped(20);
  /** Ten tokens for two hours of minimum hold, which is what may be spent, and then `minutes` more. */
  const late = (minutes: number) => {
    const now = noon + minutes * 60_000;
    const ledger = ledgerOf(policy, { id: 'a', tokens: 10, terms: hold, at: now - 2 * hour - minutes * 60_000 });
    return { ledger, now };
  };
  const withdrawn = (minutes: number, inUse: number) => {
    const { ledger, now } = late(minutes);
    const waiting = [waitingOf(50, { hfsshpc: 1 })];
    const decision = decisionFor(policy, situationWith(ledger, { seen: { inUse }, waiting, now, providers }));
    return ofKind(decision, 'withdraw').map(({ tokens, reason }) => ({ tokens, reason }));
  };

  it('tokens that are not in use go back though jobs are said to wait for them', () => {
    expect(withdrawn(1, 104)).toEqual([
      { tokens: 6, reason: '6 tokens of burst unused: of 110 104 in use, past the spending cap' },
    ]);
  });

  it('tokens that are in use stay', () => {
    expect(withdrawn(1, 110)).toEqual([]);
  });

  it('nothing changes up to it', () => {
    expect(withdrawn(0, 104)).toEqual([]);
  });
});
