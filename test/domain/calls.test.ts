import { describe, expect, it } from 'vitest';
import { callsDue } from '../../shared/domain/calls.ts';
import { observedFreshSeconds } from '../../shared/domain/limits.ts';
import type { ElasticPolicy, ResourceLedger } from '../../shared/domain/model.ts';
import {
  type Circumstances,
  confirm,
  hour,
  ledgerOf,
  listedOf,
  listOf,
  minute,
  noon,
  policyOf,
  second,
  situationOf,
  situationWith,
  steady,
  waitingOf,
  write,
} from './builders.ts';

const policy = policyOf();

function due(
  ledger: ResourceLedger,
  { rules = policy, ...changes }: Circumstances & { rules?: ElasticPolicy } = {},
): string[] {
  const calls = callsDue(ledger, rules, situationWith(ledger, changes));
  return calls.map(({ kind, grant }) => `${kind} ${grant.id}`);
}

/** As `due`, without a look at the site. */
function dueUnheard(ledger: ResourceLedger, rules: ElasticPolicy, now = noon): string[] {
  return callsDue(ledger, rules, situationOf({ now, ledgers: [ledger] })).map(
    ({ kind, grant }) => `${kind} ${grant.id}`,
  );
}

const leaving = { kind: 'withdraw', grant: 'a', returnId: 'a.r', tokens: 10, reason: 'unused' } as const;

describe('giving back', () => {
  const lent = ledgerOf(policy, { id: 'a', tokens: 10 });
  const withdrawing = write(lent, noon, leaving);
  const returning = confirm(withdrawing, noon);
  const later = (seconds: number) => ({ now: noon + seconds * second });

  it('is not told before the controller has confirmed the lower total', () => {
    expect(due(withdrawing, later(86_400))).toEqual([]);
  });

  it('is told once the linger has passed since the confirmation', () => {
    expect(due(returning, later(119))).toEqual([]);
    expect(due(returning, later(120))).toEqual(['giveBack a']);
  });

  it('waits for a count of the licence server that was made after the confirmation and fits the lower total', () => {
    const observed = (inUse: number, ageSeconds: number) => ({
      ...later(200),
      seen: { observed: { inUse, issued: 110, ageSeconds } },
    });
    expect(due(returning, observed(100, 200))).toEqual([]);
    expect(due(returning, observed(100, 199))).toEqual(['giveBack a']);
    expect(due(returning, observed(101, 199))).toEqual([]);
  });

  it('does not wait for a licence server that nobody reports any more', () => {
    const observed = { inUse: 110, issued: 110, ageSeconds: observedFreshSeconds + 1 };
    expect(due(returning, { ...later(200), seen: { observed } })).toEqual(['giveBack a']);
  });

  it('is not told without a look at the site', () => {
    expect(dueUnheard(returning, policy, noon + hour)).toEqual([]);
  });

  it('is not told after the controller has fallen back to an older total', () => {
    const unconfirmed = write(returning, noon + second, { kind: 'unconfirmed', reason: '' });
    expect(due(unconfirmed, later(86_400))).toEqual([]);
  });

  it('of a part waits for the whole where the provider takes no part', () => {
    const whole = ledgerOf(policy, { id: 'a', tokens: 10, terms: { partialReturns: false } });
    const part = confirm(write(whole, noon, { ...leaving, tokens: 4 }), noon);
    expect(due(part, later(86_400))).toEqual([]);
    expect(due(confirm(write(part, noon, { ...leaving, tokens: 6 }), noon), later(86_400))).toEqual(['giveBack a']);
  });

  it('of a lost grant waits for the whole, so that none of it leaves the ledger while it is in use', () => {
    const lost = { kind: 'recalled', grant: 'a', recall: { kind: 'lost' }, reason: '' } as const;
    const part = confirm(write(lent, noon, lost, { ...leaving, tokens: 4 }), noon);
    expect(due(part, later(86_400))).toEqual([]);
    expect(due(confirm(write(part, noon, { ...leaving, tokens: 6 }), noon), later(86_400))).toEqual(['giveBack a']);
  });

  it('leaves lent what the total counts, where another deployment has given a part back', () => {
    const part = confirm(write(ledgerOf(policy, { id: 'a', tokens: 10 }), noon, { ...leaving, tokens: 7 }), noon);
    const lent = (tokens: number) => ({ ...later(120), lists: [listOf('burst', listedOf({ id: 'a', tokens }))] });
    expect(callsDue(part, policy, situationWith(part, lent(8)))).toMatchObject([{ tokens: 5 }]);
    expect(callsDue(part, policy, situationWith(part, lent(3)))).toEqual([]);
  });

  it('comes before whatever else is due, as it ends a cost', () => {
    const both = ledgerOf(policy, { id: 'new', tokens: 5, unanswered: true }, { id: 'a', tokens: 10 });
    const ledger = confirm(write(both, noon, leaving), noon);
    const waiting = [waitingOf(1, { hfsshpc: 5 })];
    expect(due(ledger, { ...later(120), waiting })).toEqual(['giveBack a', 'request new']);
  });
});

describe('a request without an answer', () => {
  const asked = ledgerOf(policy, { id: 'a', tokens: 10, unanswered: true });

  it('is asked again while jobs wait', () => {
    expect(due(asked, { waiting: [waitingOf(1, { hfsshpc: 1 })] })).toEqual(['request a']);
  });

  it('is abandoned once that is recorded, even when jobs wait again', () => {
    const given = write(asked, noon, { kind: 'withdraw', grant: 'a', returnId: 'a.a', tokens: 10, reason: '' });
    expect(due(given)).toEqual(['abandon a']);
    expect(due(given, { waiting: [waitingOf(1, { hfsshpc: 1 })] })).toEqual(['abandon a']);
  });

  it('is abandoned no sooner than the controller has confirmed a total without it again', () => {
    const given = write(asked, noon, { kind: 'withdraw', grant: 'a', returnId: 'a.a', tokens: 10, reason: '' });
    const unconfirmed = write(given, noon, { kind: 'unconfirmed', reason: '' });
    expect(due(unconfirmed)).toEqual([]);
    expect(due(confirm(unconfirmed))).toEqual(['abandon a']);
  });

  it('is not asked again where what was taken over since has filled the cap', () => {
    const waiting = [waitingOf(1, { hfsshpc: 1 })];
    const full = ledgerOf(policy, { id: 'a', tokens: 10, unanswered: true }, { id: 'b', tokens: 195 });
    expect(due(full, { waiting })).toEqual([]);
    expect(due(full, { waiting, rules: policyOf({ maxBorrowed: 205 }) })).toEqual(['request a']);
  });

  it('is asked at least once, in the pass that recorded it', () => {
    const fresh = write(ledgerOf(policy), noon, {
      kind: 'borrow',
      grant: 'a',
      provider: 'burst',
      tokens: 10,
      terms: { block: 1, minimumHoldSeconds: 0, partialReturns: true, costPerTokenHour: 1 },
      reason: '',
    });
    expect(due(fresh)).toEqual(['request a']);
  });

  it('rests while the controller is not heard, because borrowing stops', () => {
    expect(dueUnheard(asked, policy)).toEqual([]);
  });
});

describe('renewal', () => {
  const terms = { leaseSeconds: 3_600 };
  const lent = ledgerOf(policy, { id: 'a', tokens: 10, at: noon - hour / 2, terms });

  it('is asked for from half of the lease on, while the tokens are needed', () => {
    expect(due(lent, { seen: { inUse: 101 } })).toEqual(['renew a']);
    expect(due(lent, { seen: { inUse: 101 }, now: noon - second })).toEqual([]);
  });

  it('is not asked for once the total would do without the grant', () => {
    expect(due(lent, { seen: { inUse: 100 } })).toEqual([]);
  });

  it('is asked for while a gap in the series counts as used', () => {
    expect(due(lent, { seen: { recentPeaks: steady(null) } })).toEqual(['renew a']);
  });

  it('is asked for as many grants as are needed together, although each alone could go', () => {
    const two = ledgerOf(
      policy,
      { id: 'a', tokens: 10, at: noon - hour / 2, terms },
      { id: 'b', tokens: 10, at: noon - hour / 2, terms },
    );
    expect(due(two, { seen: { inUse: 105 } })).toHaveLength(1);
    expect(due(two, { seen: { inUse: 111 } })).toEqual(['renew a', 'renew b']);
    expect(due(two, { seen: { inUse: 100 } })).toEqual([]);
  });

  it('is asked for tokens that the headroom keeps', () => {
    expect(due(lent, { seen: { inUse: 95 }, rules: policyOf({ headroom: 10 }) })).toEqual(['renew a']);
  });

  it('is not asked for a grant that was recalled or is on its way back', () => {
    const recall = { kind: 'recalled', grant: 'a', recall: { kind: 'recalled' }, reason: '' } as const;
    expect(due(write(lent, noon, recall), { seen: { inUse: 110 } })).toEqual([]);
    expect(due(write(lent, noon, leaving), { seen: { inUse: 110 } })).toEqual([]);
  });

  it('goes on while the controller is not heard, unless only owned tokens shall stay', () => {
    expect(dueUnheard(lent, policyOf({ onStale: 'keep' }))).toEqual(['renew a']);
    expect(dueUnheard(lent, policyOf({ onStale: 'ownedOnly' }))).toEqual([]);
  });

  it('is tried again until the grant has ended', () => {
    expect(due(lent, { seen: { inUse: 110 }, now: noon + 29 * minute })).toEqual(['renew a']);
  });
});
