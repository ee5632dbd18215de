import { describe, expect, it } from 'vitest';
import { callsDue } from '../../shared/domain/calls.ts';
import { decisionFor, hour, ledgerOf, minute, noon, ofKind, policyOf, situationWith, waitingOf } from './builders.ts';
import { asked, short } from './shortage.ts';

const policy = policyOf();
const frozen = { since: noon - 5 * minute, by: 'anna' };

describe('while borrowing is frozen', () => {
  it('nothing is borrowed, and the note says by whom and for how long', () => {
    const situation = short(ledgerOf(policy), 32, { frozen });
    expect(decisionFor(policy, situation)).toEqual({
      resource: 'hfsshpc',
      changes: [],
      note: "1 job for 32 hfsshpc can't start: hfsshpc: anna has frozen borrowing for 5 min",
    });
  });

  it('what has gone unused is given back as ever', () => {
    const lent = ledgerOf(policy, { id: 'a', tokens: 10, at: noon - hour });
    expect(ofKind(decisionFor(policy, situationWith(lent, { frozen })), 'withdraw')).toMatchObject([{ grant: 'a' }]);
  });

  it('a request that was never answered is ended though jobs wait for it, and not made again', () => {
    const ledger = ledgerOf(policy, { id: 'a', tokens: 10, unanswered: true });
    const waiting = [waitingOf(1, { hfsshpc: 110 })];
    const situation = situationWith(ledger, { frozen, waiting });
    expect(ofKind(decisionFor(policy, situation), 'withdraw')).toMatchObject([
      { grant: 'a', reason: 'anna has frozen borrowing, and its request was never answered' },
    ]);
    expect(callsDue(ledger, policy, situation)).toEqual([]);
    expect(callsDue(ledger, policy, situationWith(ledger, { waiting }))).toMatchObject([{ kind: 'request' }]);
  });

  it('a lease is renewed while its tokens are in use, as nothing is taken from running jobs', () => {
    const ledger = ledgerOf(policy, { id: 'a', tokens: 10, terms: { leaseSeconds: 7_200 } });
    const grants = ledger.grants.map((grant) => ({ ...grant, expiresAt: noon + 30 * minute }));
    const situation = situationWith({ ...ledger, grants }, { frozen, seen: { inUse: 110 } });
    expect(callsDue({ ...ledger, grants }, policy, situation)).toMatchObject([{ kind: 'renew' }]);
  });

  it('ends with the freeze', () => {
    expect(asked(policy, short(ledgerOf(policy), 32))).toEqual([['burst', 32]]);
  });
});
