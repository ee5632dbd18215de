import { describe, expect, it } from 'vitest';
import type { ElasticPolicy, ObservedResource, ResourceLedger, WaitingClass } from '../../shared/domain/model.ts';
import {
  confirm,
  decisionFor,
  epoch,
  hour,
  ledgerOf,
  listedOf,
  listOf,
  type Loan,
  look,
  minute,
  noon,
  observedOf,
  ofKind,
  policyOf,
  second,
  situationOf,
  situationWith,
  steady,
  waitingOf,
  write,
} from './builders.ts';

const policy = policyOf();

/** What is withdrawn of which grant. */
function withdrawn(
  ledger: ResourceLedger,
  seen: Partial<ObservedResource> = {},
  rules: ElasticPolicy = policy,
  waiting: readonly WaitingClass[] = [],
): (readonly [grant: string, tokens: number])[] {
  const decision = decisionFor(rules, situationWith(ledger, { seen, waiting }));
  return ofKind(decision, 'withdraw').map(({ grant, tokens }) => [grant, tokens]);
}

const lent = (...loans: readonly Loan[]): ResourceLedger => ledgerOf(policy, ...loans);
const ten = lent({ id: 'a', tokens: 10 });

describe('unused tokens', () => {
  it('leave the total once nothing has needed them over the window, with the reason in words', () => {
    expect(decisionFor(policy, situationWith(ten, { seen: { inUse: 95 } })).changes).toEqual([
      {
        kind: 'withdraw',
        grant: 'a',
        returnId: expect.stringContaining('a.r'),
        tokens: 10,
        reason: '10 tokens of burst unused: of 110 at most 95 needed in the last 10 min',
      },
    ]);
  });

  it('are what the highest need in the window left over', () => {
    const needs = [...steady(0, 55).needs, 104, ...steady(0, 5).needs];
    expect(withdrawn(ten, { recentPeaks: { bucketSeconds: 60, needs } })).toEqual([['a', 6]]);
  });

  it('stay while the need was there within the window', () => {
    const needs = [...steady(0, 50).needs, 110, ...steady(0, 10).needs];
    expect(withdrawn(ten, { recentPeaks: { bucketSeconds: 60, needs } })).toEqual([]);
    expect(withdrawn(ten, { recentPeaks: { bucketSeconds: 60, needs: [...needs, 0] } })).toEqual([['a', 10]]);
  });

  it('stay where the series has a gap, which counts as used', () => {
    const needs = [...steady(0, 55).needs, null, ...steady(0, 5).needs];
    expect(withdrawn(ten, { recentPeaks: { bucketSeconds: 60, needs } })).toEqual([]);
  });

  it('stay where the series is too short to know', () => {
    expect(withdrawn(ten, { recentPeaks: steady(0, 10) })).toEqual([]);
    expect(withdrawn(ten, { recentPeaks: steady(0, 11) })).toEqual([['a', 10]]);
  });

  it('are kept up to the headroom', () => {
    expect(withdrawn(ten, { inUse: 95 }, policyOf({ headroom: 12 }))).toEqual([['a', 3]]);
    expect(withdrawn(ten, { inUse: 95 }, policyOf({ headroom: 15 }))).toEqual([]);
  });

  it('never include what is owned', () => {
    expect(withdrawn(lent())).toEqual([]);
    expect(withdrawn(ten)).toEqual([['a', 10]]);
  });

  it('do not include tokens that only the licence server sees in use', () => {
    const observed = { inUse: 106, issued: 110, ageSeconds: 30 };
    expect(withdrawn(ten, { inUse: 90, observed })).toEqual([['a', 4]]);
  });

  it('are not judged by a report of the licence server that has grown old', () => {
    const observed = { inUse: 106, issued: 110, ageSeconds: 601 };
    expect(withdrawn(ten, { inUse: 90, observed })).toEqual([['a', 10]]);
  });

  it('do not include what jobs wait for now', () => {
    expect(withdrawn(ten, { inUse: 90 }, policy, [waitingOf(2, { hfsshpc: 8 })])).toEqual([['a', 4]]);
  });
});

describe('which grants give tokens back', () => {
  const held = (until: number): Loan => ({
    id: 'a',
    tokens: 10,
    at: until - hour,
    terms: { minimumHoldSeconds: 3_600 },
  });

  it('only those past their minimum hold', () => {
    expect(withdrawn(lent(held(noon + second)))).toEqual([]);
    expect(withdrawn(lent(held(noon)))).toEqual([['a', 10]]);
  });

  it('whole blocks of them', () => {
    const ledger = lent({ id: 'a', tokens: 32, terms: { block: 8 } });
    expect(withdrawn(ledger, { inUse: 115 })).toEqual([['a', 16]]);
    expect(withdrawn(ledger, { inUse: 125 })).toEqual([]);
  });

  it('only whole where the provider takes no part of a grant', () => {
    const whole = { partialReturns: false };
    const ledger = lent({ id: 'a', tokens: 20, terms: whole }, { id: 'b', tokens: 8, terms: whole });
    expect(withdrawn(ledger, { inUse: 110 })).toEqual([['b', 8]]);
    expect(withdrawn(ledger, { inUse: 108 })).toEqual([['a', 20]]);
    expect(withdrawn(ledger, { inUse: 121 })).toEqual([]);
  });

  it('the dearest first', () => {
    const ledger = lent(
      { id: 'cheap', tokens: 10, terms: { costPerTokenHour: 1 } },
      { id: 'dear', tokens: 10, terms: { costPerTokenHour: 2 } },
    );
    expect(withdrawn(ledger, { inUse: 105 })).toEqual([
      ['dear', 10],
      ['cheap', 5],
    ]);
  });

  it('of equally dear ones the one nearest the end of what is paid for', () => {
    const ledger = lent(
      { id: 'later', tokens: 10, terms: { leaseSeconds: 9_000 } },
      { id: 'sooner', tokens: 10, terms: { leaseSeconds: 8_000 } },
    );
    expect(withdrawn(ledger, { inUse: 110 })).toEqual([['sooner', 10]]);
  });

  it('none that is on its way back already', () => {
    const leaving = { kind: 'withdraw', grant: 'a', returnId: 'r', tokens: 4, reason: '' } as const;
    expect(withdrawn(confirm(write(ten, noon, leaving)))).toEqual([]);
  });
});

describe('a request without an answer', () => {
  const asked = lent({ id: 'a', tokens: 10, unanswered: true });

  it('is withdrawn whole once no job waits for the resource', () => {
    expect(withdrawn(asked)).toEqual([['a', 10]]);
    expect(withdrawn(asked, {}, policy, [waitingOf(1, { hfsshpc: 1 })])).toEqual([]);
  });

  it('is withdrawn also while jobs wait, where it is more than may be borrowed', () => {
    const waiting = [waitingOf(1, { hfsshpc: 1 })];
    expect(withdrawn(asked, {}, { ...policy, maxBorrowed: 9 }, waiting)).toEqual([['a', 10]]);
  });

  it('is withdrawn once, and then never counts, whatever the provider answers', () => {
    const given = write(asked, noon, { kind: 'withdraw', grant: 'a', returnId: 'a.a', tokens: 10, reason: '' });
    expect(withdrawn(given)).toEqual([]);
    const terms = { block: 1, minimumHoldSeconds: 600, partialReturns: true, costPerTokenHour: 1 };
    const answer = { grant: 'a', tokens: 6, terms, sentAt: noon, receivedAt: noon, reason: '' };
    const granted = write(given, noon, { kind: 'granted', ...answer });
    expect(granted.target.borrowed).toBe(0);
    expect(granted.grants).toMatchObject([{ tokens: 6, return: { id: 'a.a', tokens: 6, phase: 'returning' } }]);
  });

  it('is not withdrawn in the pass that made it', () => {
    expect(withdrawn(lent({ id: 'a', tokens: 10, unanswered: true, at: noon }))).toEqual([]);
  });
});

describe('nothing is withdrawn as unused', () => {
  it('while a request may still bring tokens', () => {
    const waiting = [waitingOf(1, { hfsshpc: 1 })];
    const ledger = lent({ id: 'a', tokens: 10 }, { id: 'b', tokens: 1, unanswered: true });
    expect(withdrawn(ledger, {}, policy, waiting)).toEqual([]);
  });

  it('while the controller has not confirmed the total', () => {
    const reason = 'the controller fell back';
    expect(withdrawn(write(ten, noon, { kind: 'unconfirmed', reason }))).toEqual([]);
  });

  it('while the controller still shows an older total', () => {
    expect(withdrawn(ten, { sequence: ten.target.sequence - 1 })).toEqual([]);
    expect(withdrawn(ten, { epoch: epoch - 1 })).toEqual([]);
  });

  it('on an observation that is as old as staleAfter', () => {
    const observation = look([observedOf(ten)], [], noon - 10 * minute);
    expect(decisionFor(policy, situationOf({ ledgers: [ten], observation })).changes).toEqual([]);
  });
});

describe('an exchange of tokens in one write', () => {
  it('is told to the controller although the total stays, so that what leaves does not wait for ever', () => {
    const lists = [listOf('burst', listedOf({ id: 'a' }), listedOf({ id: 'orphan' }))];
    const { changes } = decisionFor(policy, situationWith(ten, { seen: { inUse: 100 }, lists }));
    expect(changes.map(({ kind }) => kind)).toEqual(['adopted', 'withdraw']);
    const next = write(ten, noon, ...changes);
    expect(next.target.borrowed).toBe(ten.target.borrowed);
    expect(next.lastEntry.confirmed).toBe(false);
  });
});
