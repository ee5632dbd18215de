import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { borrowable } from '../../shared/domain/borrowable.ts';
import { decide } from '../../shared/domain/decide.ts';
import { isRenewalDue } from '../../shared/domain/grants.ts';
import { expiryMarginSeconds } from '../../shared/domain/limits.ts';
import type { Change, ObservedResource, Recall, ResourceLedger } from '../../shared/domain/model.ts';
import type { Situation } from '../../shared/domain/situation.ts';
import {
  confirm,
  decisionFor,
  grantIn,
  hour,
  ledgerOf,
  type Loan,
  look,
  minute,
  noon,
  observedOf,
  offerOf,
  ofKind,
  policyOf,
  providerOf,
  second,
  siteOf,
  situationOf,
  situationWith,
  waitingOf,
  write,
} from './builders.ts';

const policy = policyOf();

function recall(ledger: ResourceLedger, grant: string, recall: Recall = { kind: 'recalled' }): ResourceLedger {
  return write(ledger, noon - minute, { kind: 'recalled', grant, recall, reason: '' });
}

function withdrawals(
  ledger: ResourceLedger,
  seen: Partial<ObservedResource>,
  changes: Partial<Situation> = {},
): Extract<Change, { kind: 'withdraw' }>[] {
  return ofKind(decisionFor(policy, situationWith(ledger, { seen, ...changes })), 'withdraw');
}

const short = (ledger: ResourceLedger, inUse: number, changes: Partial<Situation> = {}) =>
  withdrawals(ledger, { inUse }, changes).map(({ grant, tokens }) => [grant, tokens]);

describe('recalled tokens', () => {
  const held: Loan = { id: 'a', tokens: 10, terms: { minimumHoldSeconds: 1e6 } };

  it('are withdrawn as soon as they are idle, whatever the minimum hold and the window', () => {
    expect(short(recall(ledgerOf(policy, held), 'a'), 100)).toEqual([['a', 10]]);
  });

  it('stay while they are in use, and go as they fall idle', () => {
    const ledger = recall(ledgerOf(policy, held), 'a');
    expect(short(ledger, 110)).toEqual([]);
    expect(short(ledger, 106)).toEqual([['a', 4]]);
  });

  it('count as in use what only the licence server sees', () => {
    const ledger = recall(ledgerOf(policy, held), 'a');
    const seen = { inUse: 90, observed: { inUse: 107, issued: 110, ageSeconds: 5 } };
    expect(withdrawals(ledger, seen)).toMatchObject([{ tokens: 3 }]);
  });

  it('go ahead of unused ones, those with the nearest time first', () => {
    const lent = ledgerOf(
      policy,
      { id: 'dear', tokens: 10, terms: { costPerTokenHour: 9 } },
      { id: 'late', tokens: 10 },
      { id: 'soon', tokens: 10 },
    );
    const late = recall(lent, 'late', { kind: 'recalled', by: noon + 2 * hour });
    const ledger = confirm(recall(late, 'soon', { kind: 'recalled', by: noon + hour }));
    expect(short(ledger, 105)).toEqual([
      ['soon', 10],
      ['late', 10],
      ['dear', 5],
    ]);
  });

  it('gather until the grant is whole where the provider takes no part of it', () => {
    const lent = ledgerOf(policy, { id: 'a', tokens: 10, terms: { partialReturns: false } });
    const [first] = withdrawals(recall(lent, 'a'), { inUse: 106 });
    expect(first?.tokens).toBe(4);
    const gathering = confirm(write(recall(lent, 'a'), noon, ...(first === undefined ? [] : [first])));
    const [rest] = withdrawals(gathering, { inUse: 100 });
    expect(rest).toMatchObject({ tokens: 6 });
  });
});

describe('tokens that the provider no longer lends', () => {
  it('leave the total as fast as use allows, whatever the block', () => {
    const lent = ledgerOf(policy, { id: 'a', tokens: 10, terms: { block: 5 } });
    expect(short(recall(lent, 'a', { kind: 'lost' }), 107)).toEqual([['a', 3]]);
  });

  it('go on leaving while an earlier part is still on its way', () => {
    const lost = recall(ledgerOf(policy, { id: 'a', tokens: 10 }), 'a', { kind: 'lost' });
    const [first] = withdrawals(lost, { inUse: 107 });
    const leaving = write(lost, noon, ...(first === undefined ? [] : [first]));
    expect(short(leaving, 104)).toEqual([['a', 3]]);
  });

  it('leave under a new return id where the provider may have been told of the earlier part', () => {
    const lent = ledgerOf(policy, { id: 'a', tokens: 10 });
    const part = write(lent, noon, { kind: 'withdraw', grant: 'a', returnId: 'told', tokens: 4, reason: '' });
    const [rest] = withdrawals(recall(confirm(part), 'a', { kind: 'lost' }), { inUse: 100 });
    expect(rest).toMatchObject({ tokens: 6, returnId: expect.not.stringMatching(/^told$/) });
  });

  it('go before those that are only recalled', () => {
    const lent = ledgerOf(policy, { id: 'a', tokens: 10 }, { id: 'b', tokens: 10 });
    const ledger = recall(recall(lent, 'a', { kind: 'recalled', by: noon }), 'b', { kind: 'lost' });
    expect(short(ledger, 110)).toEqual([['b', 10]]);
  });
});

describe('a grant that ends', () => {
  const lent = ledgerOf(policy, { id: 'a', tokens: 10, at: noon - hour, terms: { leaseSeconds: 3 * 3_600 } });
  const end = noon + 2 * hour;
  const before = (seconds: number) => ({ now: end - seconds * second });
  const used = { inUse: 95 };

  it('is withdrawn before its end by the margin for clock error and push time', () => {
    const held = ledgerOf(policy, {
      id: 'a',
      tokens: 10,
      at: noon - hour,
      terms: { leaseSeconds: 3 * 3_600, minimumHoldSeconds: 1e6 },
    });
    expect(withdrawals(held, used, before(expiryMarginSeconds + 1))).toEqual([]);
    expect(withdrawals(held, used, before(expiryMarginSeconds))).toMatchObject([
      { tokens: 10, reason: 'the grant ends in 6 min and was not renewed; 10 tokens of 10 idle' },
    ]);
  });

  it('stays while it is in use, and once it has ended a person is told', () => {
    const at = (now: number) => decide(situationWith(lent, { seen: { inUse: 110 }, now }), siteOf(policy));
    expect(at(end - 1)).toMatchObject({ resources: [], alarms: [] });
    expect(at(end)).toMatchObject({
      resources: [],
      alarms: [{ name: 'grant-overdue', message: expect.stringContaining('10 tokens still in use') }],
    });
  });

  it('is still withdrawn after its end, as its tokens fall idle', () => {
    expect(withdrawals(lent, { inUse: 106 }, before(-600))).toMatchObject([
      { tokens: 4, reason: 'the grant ended 10 min ago and was not renewed; 4 tokens of 10 idle' },
    ]);
  });

  it('is due for renewal before it is withdrawn, however short a lease tokens are borrowed on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_400 }), (leaseSeconds) => {
        const providers = [providerOf('burst', offerOf({ leaseSeconds }))];
        const empty = ledgerOf(policy);
        const observed = observedOf(empty, { inUse: 100 });
        const draft = { policy, observed, ledger: empty, changes: [] };
        const { tokens } = borrowable(draft, situationOf({ providers, ledgers: [empty] }));
        if (tokens === 0) return;
        const grant = grantIn(ledgerOf(policy, { id: 'a', tokens: 10, at: noon, terms: { leaseSeconds } }), 'a');
        const withdrawnAt = (grant.expiresAt ?? Infinity) - expiryMarginSeconds * second;
        expect(withdrawnAt - 1).toBeGreaterThanOrEqual(noon);
        expect(isRenewalDue(grant, withdrawnAt - 1)).toBe(true);
      }),
    );
  });
});

describe('a controller that is not heard', () => {
  const owned = policyOf({ onStale: 'ownedOnly', staleAfterSeconds: 600 });
  const lent = ledgerOf(owned, { id: 'a', tokens: 10 }, { id: 'held', tokens: 5, terms: { minimumHoldSeconds: 1e6 } });

  const unheard = (policy: typeof owned, seconds: number) =>
    decisionFor(policy, situationOf({ ledgers: [lent], unheardSince: noon - seconds * second }));

  it('with ownedOnly leaves out of the target all that may go back, once it has been silent for staleAfter', () => {
    expect(unheard(owned, 599).changes).toEqual([]);
    expect(unheard(owned, 600).changes).toMatchObject([
      { kind: 'withdraw', grant: 'a', tokens: 10, reason: 'the controller has not been heard for 10 min' },
    ]);
  });

  it('with keep changes nothing', () => {
    expect(unheard({ ...owned, onStale: 'keep' }, 1e6).changes).toEqual([]);
  });

  it('raises an alarm', () => {
    const { alarms } = decide(situationOf({ ledgers: [lent], unheardSince: noon - minute }), siteOf(owned));
    expect(alarms).toMatchObject([{ name: 'controller-not-heard', message: expect.stringContaining('60 s') }]);
  });

  it('borrows nothing, not even on what it last said', () => {
    const empty = ledgerOf(policy);
    const observation = look([observedOf(empty, { inUse: 100 })], [waitingOf(1, { hfsshpc: 10 })], noon - 10 * minute);
    expect(decisionFor(policy, situationOf({ ledgers: [empty], observation })).changes).toEqual([]);
    expect(decisionFor(policy, situationOf({ ledgers: [empty] })).changes).toEqual([]);
  });
});
