import { describe, expect, it } from 'vitest';
import { ChangeDoesNotFit } from '../../shared/domain/changes.ts';
import { phaseOf } from '../../shared/domain/grants.ts';
import { emptyLedger, isConfirmed, record } from '../../shared/domain/ledger.ts';
import { maxReasonLength } from '../../shared/domain/limits.ts';
import type { Change, ResourceLedger } from '../../shared/domain/model.ts';
import { confirm, epoch, grantIn, hour, ledgerOf, noon, policyOf, second, termsOf, write } from './builders.ts';

const policy = policyOf();
const terms = termsOf({ leaseSeconds: 3_600, minimumHoldSeconds: 600 });
const reason = 'because';

const change = {
  borrow: { kind: 'borrow', grant: 'a', provider: 'burst', tokens: 10, terms, reason },
  granted: { kind: 'granted', grant: 'a', tokens: 10, terms, sentAt: noon, receivedAt: noon + second, reason },
  refused: { kind: 'refused', grant: 'a', reason },
  abandoned: { kind: 'abandoned', grant: 'a', reason },
  adopted: { kind: 'adopted', grant: 'a', provider: 'burst', tokens: 10, terms, expiresAt: noon + hour, reason },
  renewed: { kind: 'renewed', grant: 'a', leaseSeconds: 7_200, sentAt: noon, reason },
  recalled: { kind: 'recalled', grant: 'a', recall: { kind: 'recalled', by: noon }, reason },
  withdraw: { kind: 'withdraw', grant: 'a', returnId: 'a.r', tokens: 4, reason },
  keep: { kind: 'keep', grant: 'a', tokens: 4, reason },
  returned: { kind: 'returned', grant: 'a', tokens: 4, reason },
  retarget: { kind: 'retarget', owned: 90, afterSequence: 0, reason },
  unconfirmed: { kind: 'unconfirmed', reason },
} as const satisfies Record<string, Change>;

const none = ledgerOf(policy);
const requested = write(none, noon, change.borrow);
const granted = write(requested, noon, change.granted);
const active = confirm(granted);
const withdrawing = write(active, noon, change.withdraw);
const returning = confirm(withdrawing);

describe('the life of a grant', () => {
  it('goes from requested over granted to active', () => {
    const phases = [requested, granted, active].map((ledger) => phaseOf(grantIn(ledger, 'a')));
    expect(phases).toEqual(['requested', 'granted', 'active']);
  });

  it('goes back over withdrawing and returning, and what was not returned is active again', () => {
    expect(phaseOf(grantIn(withdrawing, 'a'))).toBe('withdrawing');
    expect(phaseOf(grantIn(returning, 'a'))).toBe('returning');
    const rest = grantIn(write(returning, noon, change.returned), 'a');
    expect(rest).toMatchObject({ state: 'active', tokens: 6 });
    expect(rest).not.toHaveProperty('return');
  });

  it('ends when the last token is returned, or the request is refused or abandoned', () => {
    expect(write(returning, noon, { ...change.returned, tokens: 10 }).grants).toEqual([]);
    expect(write(requested, noon, change.refused).grants).toEqual([]);
    expect(write(requested, noon, change.abandoned).grants).toEqual([]);
  });

  it('counts a minimum hold from the answer and an expiry from the question', () => {
    expect(grantIn(granted, 'a')).toMatchObject({ holdUntil: noon + 601 * second, expiresAt: noon + hour });
  });

  it('has its end moved by a renewal', () => {
    expect(grantIn(write(active, noon, change.renewed), 'a').expiresAt).toBe(noon + 2 * hour);
  });

  it('begins as granted when it is taken over, held for its whole minimum from then on', () => {
    expect(grantIn(write(none, noon, change.adopted), 'a')).toMatchObject({
      state: 'granted',
      holdUntil: noon + 600 * second,
      expiresAt: noon + hour,
    });
  });

  it('keeps what is used of a withdrawal, and all of it ends the withdrawal', () => {
    const some = grantIn(write(withdrawing, noon, { ...change.keep, tokens: 1 }), 'a');
    expect(some.return).toMatchObject({ tokens: 3, phase: 'withdrawing' });
    expect(phaseOf(grantIn(write(withdrawing, noon, change.keep), 'a'))).toBe('active');
  });

  it('waits for the controller to confirm anew once it has fallen back, and never counts again what was returning', () => {
    const fallen = write(returning, noon, change.unconfirmed);
    expect(grantIn(fallen, 'a')).toMatchObject({ state: 'granted', return: { id: 'a.r', phase: 'returning' } });
    expect(grantIn(fallen, 'a').return).not.toHaveProperty('confirmedAt');
    expect(fallen).not.toHaveProperty('confirmed');
    expect(fallen.target).toEqual(returning.target);
    const again = confirm(fallen, noon + hour);
    expect(grantIn(again, 'a')).toMatchObject({ state: 'active', return: { confirmedAt: noon + hour } });
  });
});

describe('the target', () => {
  it('counts nothing that is only requested', () => {
    expect(requested.target).toEqual(none.target);
    expect(granted.target).toMatchObject({ owned: 100, borrowed: 10 });
  });

  it('leaves out what is withdrawn, and does not change when that is returned', () => {
    expect(withdrawing.target.borrowed).toBe(6);
    expect(write(returning, noon, change.returned).target).toEqual(returning.target);
  });

  it('has the version as its sequence and the epoch of the writer where it changed', () => {
    expect(granted.target).toMatchObject({ epoch, sequence: granted.version });
    expect(isConfirmed(granted)).toBe(false);
    expect(isConfirmed(active)).toBe(true);
  });

  it('is told anew when an end was moved or the lease has moved on, although no number changed', () => {
    const renewed = write(active, noon, change.renewed);
    expect(renewed.target).toEqual({ ...active.target, sequence: renewed.version });
    const moved = record(active, [{ ...change.retarget, owned: 100 }], { at: noon, by: 'decide', pass: '', epoch: 9 });
    expect(moved.target).toEqual({ ...active.target, epoch: 9, sequence: moved.version });
  });

  it('never falls back to an older epoch', () => {
    const old = record(active, [change.withdraw], { at: noon, by: 'decide', pass: '', epoch: epoch - 1 });
    expect(old.target.epoch).toBe(epoch);
  });

  it('is newer than what the controller had accepted before the ledger was restored', () => {
    const restored = write(active, noon, { ...change.retarget, afterSequence: 500 });
    expect(restored).toMatchObject({ version: 501, target: { sequence: 501 } });
  });
});

describe('the entry of a write', () => {
  it('holds what a replay needs', () => {
    expect(granted.lastEntry).toEqual({
      resource: 'hfsshpc',
      version: granted.version,
      at: noon,
      by: 'decide',
      pass: 'p',
      epoch,
      changes: [change.granted],
      target: granted.target,
      confirmed: false,
    });
  });

  it('cuts reasons that would only fill the ledger', () => {
    const long = write(none, noon, { ...change.borrow, reason: 'x'.repeat(10_000) });
    expect(long.lastEntry.changes[0]?.reason).toHaveLength(maxReasonLength);
    expect(long.because?.reason).toHaveLength(maxReasonLength);
  });
});

describe('a change that does not fit', () => {
  const illegal: readonly (readonly [what: string, ledger: ResourceLedger, change: Change])[] = [
    ...Object.values(change)
      .filter((change) => 'grant' in change && change.kind !== 'borrow' && change.kind !== 'adopted')
      .map((change) => [`${change.kind} of a grant that is not open`, none, change] as const),
    ['borrow under an id that is taken', active, change.borrow],
    ['adopted under an id that is taken', active, change.adopted],
    ['more granted than asked for', requested, { ...change.granted, tokens: 11 }],
    ['granted twice', active, change.granted],
    ['refused after it was granted', active, change.refused],
    ['abandoned after it was granted', active, change.abandoned],
    ['renewed before it is granted', requested, change.renewed],
    ['withdrawn before it is granted', requested, change.withdraw],
    ['returned before it is granted', requested, change.returned],
    ['more withdrawn than lent', active, { ...change.withdraw, tokens: 11 }],
    ['more withdrawn than is left', withdrawing, { ...change.withdraw, tokens: 7 }],
    ['kept without a withdrawal', active, change.keep],
    ['more kept than withdrawn', withdrawing, { ...change.keep, tokens: 5 }],
    ['kept after the controller confirmed that it is gone', returning, change.keep],
    ['returned without a withdrawal', active, change.returned],
    ['returned before the controller confirmed the lower total', withdrawing, change.returned],
    ['more returned than lent', returning, { ...change.returned, tokens: 11 }],
    ['a confirmation of another target', granted, { kind: 'confirmed', epoch, sequence: granted.version - 1, reason }],
    ['opened twice', active, { kind: 'opened', owned: 100, reason }],
  ];

  it.each(illegal)('throws: %s', (_what, ledger, change) => {
    expect(() => write(ledger, noon, change)).toThrow(ChangeDoesNotFit);
  });

  it('names the resource and the change', () => {
    const attempt = () => write(none, noon, change.refused);
    expect(attempt).toThrow("applying 'refused' to the ledger of hfsshpc: there is no open grant a");
  });
});

describe('a ledger before its first write', () => {
  it('wants nothing and has confirmed nothing', () => {
    const empty = emptyLedger('hfsshpc', noon);
    expect(empty).toMatchObject({ version: 0, grants: [], target: { owned: 0, borrowed: 0, epoch: 0, sequence: 0 } });
    expect(isConfirmed(empty)).toBe(false);
  });
});
