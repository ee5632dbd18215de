import { describe, expect, it } from 'vitest';
import { minute } from '../domain/builders.ts';
import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import { emptyLedger, isConfirmed, record } from '../../shared/domain/ledger.ts';
import { expiryMarginSeconds } from '../../shared/domain/limits.ts';
import type { Change, ResourceLedger } from '../../shared/domain/model.ts';
import type { Log, TotalReceiver, WriteOutcome } from '../../shared/ports.ts';
import { pushTotals, totalUpdate } from '../../shared/push-totals.ts';
import { Activity } from '../../shared/simulation/activity.ts';
import { faultless } from '../../shared/simulation/faults.ts';
import { VirtualClock } from '../../shared/simulation/virtual-clock.ts';
import { Lab, start } from './lab.ts';
import { smallSite } from './sites.ts';

const terms = { block: 1, minimumHoldSeconds: 0, partialReturns: true, costPerTokenHour: 1 };

/** 8 owned, and one grant of each of these numbers of tokens with these leases. */
function ledgerWith(loans: readonly { tokens: number; leaseSeconds?: number }[], resource = 'hfsshpc') {
  const changes = loans.flatMap(({ tokens, leaseSeconds }, index): Change[] => {
    const common = { grant: `g-${index}`, tokens, terms, reason: '' };
    const lease = leaseSeconds === undefined ? {} : { expiresInSeconds: leaseSeconds };
    return [
      { kind: 'borrow', provider: 'burst', ...common },
      { kind: 'granted', sentAt: start, receivedAt: start, ...common, ...lease },
    ];
  });
  const opened: Change = { kind: 'opened', owned: 8, reason: '' };
  const stamp = { at: start, by: 'decide', pass: '', epoch: 1 } as const;
  return record(emptyLedger(resource, start), [opened, ...changes], stamp);
}

/** A store that takes no second version of one ledger. */
class FullStore extends MemoryLedgerStore {
  readonly #full: string;
  constructor(full: string) {
    super();
    this.#full = full;
  }
  override async write(previous: ResourceLedger | undefined, next: ResourceLedger): Promise<WriteOutcome> {
    if (previous?.resource === this.#full) throw new Error(`${this.#full} is too large`);
    return super.write(previous, next);
  }
}

describe('a pushed total', () => {
  it('says when which tokens end, soonest first and early enough for two wrong clocks', () => {
    const ledger = ledgerWith([{ tokens: 4, leaseSeconds: 7_200 }, { tokens: 2 }, { tokens: 3, leaseSeconds: 3_600 }]);
    expect(totalUpdate(ledger, start + minute)).toEqual({
      resource: 'hfsshpc',
      owned: 8,
      borrowed: 9,
      total: 17,
      epoch: 1,
      sequence: 1,
      expiries: [
        { at: start + (3_600 - expiryMarginSeconds) * 1_000, tokens: 3 },
        { at: start + (7_200 - expiryMarginSeconds) * 1_000, tokens: 4 },
      ],
      issuedAt: start + minute,
    });
  });
});

describe('a push', () => {
  it('is repeated every minute until the controller has confirmed', async () => {
    const lab = new Lab(smallSite());
    await lab.minutes(2);
    lab.faults.dealer = { ...faultless, call: ({ method }) => (method === 'setTotal' ? 'lost' : 'answered') };
    await lab.submit(20, 30);
    await lab.minutes(3);
    expect(lab.total()).toBe(8);
    expect(await lab.grants()).toMatchObject([{ state: 'granted' }]);
    lab.faults.dealer = faultless;
    await lab.minutes(1);
    expect(lab.total()).toBe(20);
  });

  it('of one resource that fails keeps no other from being pushed', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `r${String(index).padStart(2, '0')}`);
    const ledger = new FullStore('r00');
    for (const name of names) await ledger.write(undefined, ledgerWith([{ tokens: 4 }], name));
    const receiver: TotalReceiver = { setTotal: async ({ total }) => ({ outcome: 'applied', total, inUse: 0 }) };
    const log: Log = { info: () => {}, warn: () => {}, alarm: () => {} };
    const push = pushTotals({ ledger, receiver, clock: new VirtualClock(start, new Activity()), log });
    await expect(push).rejects.toMatchObject({ errors: [expect.objectContaining({ message: 'r00 is too large' })] });
    const { ledgers } = await ledger.read();
    expect(ledgers.filter((one) => !isConfirmed(one)).map(({ resource }) => resource)).toEqual(['r00']);
  });

  it('keeps what has come into use since the decision, and lowers the total by the rest', async () => {
    const lab = new Lab(smallSite({ returnAfter: '2m' }));
    await lab.minutes(2);
    await lab.submit(20, 3);
    await lab.minutes(5);
    lab.faults.dealer = { ...faultless, call: ({ method }) => (method === 'setTotal' ? 'lost' : 'answered') };
    await lab.minutes(2);
    expect((await lab.ledger()).target.borrowed).toBe(0);
    lab.faults.dealer = { ...faultless, wake: () => 'never' };
    await lab.submit(14, 30);
    lab.faults.dealer = faultless;
    await lab.minutes(2);
    expect(lab.total()).toBe(14);
    expect(await lab.grants()).toMatchObject([{ tokens: 6 }]);
  });
});
