import { describe, expect, it } from 'vitest';
import type { Grant, ResourceLedger } from '../../shared/domain/model.ts';
import { afterAbandon, afterGiveBack, afterPush, afterRenew, afterRequest } from '../../shared/domain/outcomes.ts';
import { confirm, grantIn, hour, ledgerOf, minute, noon, policyOf, second, termsOf, write } from './builders.ts';

const policy = policyOf();
const times = { sentAt: noon, receivedAt: noon + second };
const asked = ledgerOf(policy, { id: 'a', tokens: 10, at: noon, unanswered: true });
const lent = ledgerOf(policy, { id: 'a', tokens: 10 });
const requested = grantIn(asked, 'a');
const withdraw = (ledger: ResourceLedger, grant: string, tokens: number) =>
  write(ledger, noon, { kind: 'withdraw', grant, returnId: `${grant}.r`, tokens, reason: '' });

describe('what a provider answers to a request', () => {
  it('unknown and pending change nothing', () => {
    expect(afterRequest(requested, { outcome: 'unknown', detail: 'timed out' }, times)).toBeUndefined();
    expect(afterRequest(requested, { outcome: 'pending' }, times)).toBeUndefined();
  });

  it('a part is kept, and the reason says so', () => {
    const outcome = { outcome: 'granted', tokens: 6, terms: termsOf(), revision: '1' } as const;
    expect(afterRequest(requested, outcome, times)).toMatchObject({
      kind: 'granted',
      tokens: 6,
      reason: 'burst lends 6 tokens of 10 asked',
    });
  });

  it("a refusal carries the provider's words and its retryAfter", () => {
    const outcome = { outcome: 'refused', detail: 'all lent', retryAfterSeconds: 90 } as const;
    expect(afterRequest(requested, outcome, times)).toEqual({
      kind: 'refused',
      grant: 'a',
      retryAfterSeconds: 90,
      reason: 'burst refused: all lent',
    });
  });

  it('an expiry counts from the question by what the provider says is left, and a hold from the answer', () => {
    const terms = termsOf({ leaseSeconds: 3_600, minimumHoldSeconds: 600 });
    const outcome = { outcome: 'granted', tokens: 10, terms, revision: '1', expiresInSeconds: 2_400 } as const;
    const change = afterRequest(requested, outcome, times);
    const grant = grantIn(write(asked, times.receivedAt, ...(change === undefined ? [] : [change])), 'a');
    expect(grant).toMatchObject({ expiresAt: noon + 40 * minute, holdUntil: noon + 601 * second });
  });

  it('an expiry that the provider does not name counts from the first time that the request was sent, whichever time was answered', () => {
    const terms = termsOf({ leaseSeconds: 3_600 });
    const outcome = { outcome: 'granted', tokens: 10, terms, revision: '1' } as const;
    const late = { sentAt: noon + 20 * minute, receivedAt: noon + 20 * minute + second };
    const change = afterRequest(requested, outcome, late);
    const grant = grantIn(write(asked, late.receivedAt, ...(change === undefined ? [] : [change])), 'a');
    expect(grant.expiresAt).toBeLessThanOrEqual(noon + hour);
    expect(grant.holdUntil).toBeGreaterThanOrEqual(late.receivedAt);
  });
});

describe('what a provider answers to the end of a request', () => {
  it('abandons the id once nothing is held under it', () => {
    expect(afterAbandon(requested, { outcome: 'returned', tokens: 0 })).toMatchObject({
      kind: 'abandoned',
      grant: 'a',
    });
  });

  it.each([
    { outcome: 'returned', tokens: 4 },
    { outcome: 'refused', detail: 'minimum hold' },
    { outcome: 'unknown', detail: 'timed out' },
  ] as const)('keeps the id otherwise: $outcome', (outcome) => {
    expect(afterAbandon(requested, outcome)).toBeUndefined();
  });
});

describe('what a provider answers to a return', () => {
  const returning = grantIn(confirm(withdraw(lent, 'a', 6)), 'a');
  const left = (grant: Grant, tokens: number): number => {
    const change = afterGiveBack(grant, { outcome: 'returned', tokens });
    return change?.kind === 'returned' ? grant.tokens - change.tokens : grant.tokens;
  };

  it('takes what was given back from the ledger', () => {
    expect(left(returning, 4)).toBe(4);
  });

  it('takes no more from the ledger than was given back where the provider has ended more', () => {
    expect(left(returning, 0)).toBe(4);
  });

  it('leaves in the ledger all that the provider still lends', () => {
    expect(left(returning, 7)).toBe(7);
  });

  it('changes nothing where it is refused or unknown', () => {
    expect(afterGiveBack(returning, { outcome: 'refused', detail: 'minimum hold' })).toBeUndefined();
    expect(afterGiveBack(returning, { outcome: 'unknown', detail: 'timed out' })).toBeUndefined();
  });
});

describe('what a provider answers to a renewal', () => {
  it('moves the end, counted from when the question was sent', () => {
    const change = afterRenew(requested, { outcome: 'renewed', leaseSeconds: 1_800 }, times);
    expect(change).toMatchObject({ kind: 'renewed', leaseSeconds: 1_800, sentAt: noon });
  });

  it('changes nothing where it is refused or unknown', () => {
    expect(afterRenew(requested, { outcome: 'refused', detail: 'recalled' }, times)).toBeUndefined();
    expect(afterRenew(requested, { outcome: 'unknown', detail: 'timed out' }, times)).toBeUndefined();
  });
});

describe('what the controller answers to a total', () => {
  it('applied confirms the very target that was pushed', () => {
    const withdrawn = withdraw(lent, 'a', 10);
    expect(afterPush(withdrawn, { outcome: 'applied', total: 100, inUse: 1 })).toEqual([
      {
        kind: 'confirmed',
        epoch: withdrawn.target.epoch,
        sequence: withdrawn.target.sequence,
        reason: 'the controller applies 100 (1 token in use)',
      },
    ]);
  });

  it('stale confirms the target where it names this very update, whose first answer was lost', () => {
    const withdrawn = withdraw(lent, 'a', 10);
    const { epoch, sequence } = withdrawn.target;
    expect(afterPush(withdrawn, { outcome: 'stale', epoch, sequence })).toMatchObject([{ kind: 'confirmed' }]);
  });

  it('stale, refused and unknown change nothing otherwise', () => {
    const withdrawn = withdraw(lent, 'a', 10);
    const { epoch, sequence } = withdrawn.target;
    expect(afterPush(withdrawn, { outcome: 'stale', epoch, sequence: sequence + 1 })).toEqual([]);
    expect(afterPush(withdrawn, { outcome: 'stale', epoch: epoch + 1, sequence: 1 })).toEqual([]);
    expect(afterPush(withdrawn, { outcome: 'refused', detail: 'bad signature' })).toEqual([]);
    expect(afterPush(withdrawn, { outcome: 'unknown', detail: 'timed out' })).toEqual([]);
  });

  it('below-in-use keeps as much as is used, and withdraws the rest under a newer sequence', () => {
    const withdrawn = withdraw(lent, 'a', 10);
    const changes = afterPush(withdrawn, { outcome: 'below-in-use', inUse: 104 });
    expect(changes).toMatchObject([{ kind: 'keep', grant: 'a', tokens: 4 }]);
    const next = write(withdrawn, noon, ...changes);
    expect(next.target).toMatchObject({ borrowed: 4, sequence: next.version });
    expect(grantIn(next, 'a').return).toMatchObject({ tokens: 6, phase: 'withdrawing' });
  });

  it('below-in-use keeps whole blocks, and whole grants where no part may go back', () => {
    const coarse = ledgerOf(policy, { id: 'a', tokens: 24, terms: { block: 8 } });
    const block = afterPush(withdraw(coarse, 'a', 24), { outcome: 'below-in-use', inUse: 101 });
    expect(block).toMatchObject([{ tokens: 8 }]);
    const whole = ledgerOf(policy, { id: 'a', tokens: 24, terms: { partialReturns: false } });
    const all = afterPush(withdraw(whole, 'a', 24), { outcome: 'below-in-use', inUse: 101 });
    expect(all).toMatchObject([{ tokens: 24 }]);
  });

  it('below-in-use keeps what is still lent before what is recalled, and that before what is lost', () => {
    const ids = ['lost', 'recalled', 'lent'];
    let ledger = ledgerOf(policy, ...ids.map((id) => ({ id, tokens: 10 })));
    for (const kind of ['lost', 'recalled'] as const) {
      ledger = write(ledger, noon, { kind: 'recalled', grant: kind, recall: { kind }, reason: '' });
    }
    ledger = ids.reduce((before, id) => withdraw(before, id, 10), ledger);
    const kept = afterPush(ledger, { outcome: 'below-in-use', inUse: 123 });
    expect(kept).toMatchObject([
      { grant: 'lent', tokens: 10 },
      { grant: 'recalled', tokens: 10 },
      { grant: 'lost', tokens: 3 },
    ]);
  });

  it.each([{ block: 5 }, { partialReturns: false }])(
    'below-in-use keeps no more than is used of a lost grant, whatever its terms: %o',
    (terms) => {
      const lost = { kind: 'recalled', grant: 'a', recall: { kind: 'lost' }, reason: '' } as const;
      const before = confirm(withdraw(write(ledgerOf(policy, { id: 'a', tokens: 10, terms }), noon, lost), 'a', 4));
      const kept = afterPush(withdraw(before, 'a', 3), { outcome: 'below-in-use', inUse: 104 });
      expect(kept).toMatchObject([{ grant: 'a', tokens: 1 }]);
    },
  );

  it('below-in-use keeps nothing that the controller has already confirmed to be gone', () => {
    const two = ledgerOf(policy, { id: 'a', tokens: 10 }, { id: 'b', tokens: 10 });
    const ledger = withdraw(confirm(withdraw(two, 'a', 10)), 'b', 10);
    expect(afterPush(ledger, { outcome: 'below-in-use', inUse: 115 })).toMatchObject([{ grant: 'b', tokens: 10 }]);
  });

  it('below-in-use changes nothing where the owned tokens alone were lowered: use has to fall first', () => {
    const lowered = write(lent, noon, { kind: 'retarget', owned: 50, afterSequence: 0, reason: '' });
    expect(afterPush(lowered, { outcome: 'below-in-use', inUse: 90 })).toEqual([]);
  });
});
