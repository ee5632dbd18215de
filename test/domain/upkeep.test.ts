import { describe, expect, it } from 'vitest';
import { decide } from '../../shared/domain/decide.ts';
import { isConfirmed } from '../../shared/domain/ledger.ts';
import {
  confirm,
  epoch,
  ledgerOf,
  listedOf,
  listOf,
  noon,
  policyOf,
  siteOf,
  situationOf,
  situationWith,
  waitingOf,
  write,
} from './builders.ts';
import { changesIn, decided, lent, policy, site } from './lent-and-used.ts';

describe('the site file', () => {
  it('opens a ledger with what the site owns', () => {
    expect(changesIn(decide(situationOf(), site))).toEqual([
      { kind: 'opened', owned: 100, reason: 'the site owns 100 tokens' },
    ]);
  });

  it('sets a new target when it says another number owned', () => {
    const decision = decide(situationWith(lent, { seen: { inUse: 110 } }), siteOf({ ...policy, owned: 80 }));
    expect(changesIn(decision)).toEqual([
      { kind: 'retarget', owned: 80, afterSequence: 0, reason: 'the site file says 80 owned, it was 100' },
    ]);
  });

  it('does not forget the grants of a resource that it no longer makes elastic', () => {
    const decision = decide(
      situationWith(lent, { lists: [listOf('burst', listedOf({ id: 'a' }))] }),
      siteOf(policyOf({ resource: 'other' })),
    );
    const said = [...decision.resources, ...decision.orphans, ...decision.alarms];
    expect(JSON.stringify(said)).toContain('hfsshpc');
  });
});

describe('the controller', () => {
  it('needs nothing when it shows what it has confirmed', () => {
    expect(decided(lent)).toMatchObject({ resources: [], alarms: [], toList: [] });
  });

  it('that fell back to an older total has to confirm anew before anything goes to a provider', () => {
    const decision = decided(lent, {}, { sequence: lent.target.sequence - 1, total: 100 });
    expect(decision.alarms).toMatchObject([{ name: 'controller-fell-back' }]);
    expect(changesIn(decision)).toMatchObject([{ kind: 'unconfirmed' }]);
    expect(isConfirmed(write(lent, noon, ...changesIn(decision)))).toBe(false);
  });

  it('that fell back is found once, and not again in each pass', () => {
    const seen = { sequence: lent.target.sequence - 1 };
    const after = write(lent, noon, ...changesIn(decided(lent, {}, seen)));
    expect(changesIn(decided(after, {}, seen))).toEqual([]);
  });

  it('that applies more than it accepted is reported to a person', () => {
    expect(decided(lent, {}, { total: 111 }).alarms).toMatchObject([{ name: 'controller-exceeds-total' }]);
    expect(decided(lent, {}, { total: 105 }).alarms).toEqual([]);
  });

  it('is told an unconfirmed total anew under the epoch of the new lease', () => {
    const waiting = write(lent, noon, { kind: 'withdraw', grant: 'a', returnId: 'r', tokens: 1, reason: '' });
    const decision = decided(waiting, { epoch: epoch + 1 }, { sequence: lent.target.sequence });
    expect(changesIn(decision)).toMatchObject([{ kind: 'retarget', owned: 100 }]);
    expect(changesIn(decided(lent, { epoch: epoch + 1 }))).toEqual([]);
  });
});

describe('a ledger that is behind the controller, as one restored from a backup', () => {
  const ahead = { sequence: lent.target.sequence + 40 };

  it('raises an alarm and asks every provider before it decides anything', () => {
    const two = siteOf({ ...policy, providers: ['burst', 'far'] });
    const waiting = [waitingOf(1, { hfsshpc: 500 })];
    const decision = decide(situationWith(lent, { seen: ahead, waiting, lists: [listOf('far')] }), two);
    expect(decision).toMatchObject({ toList: ['burst'], alarms: [{ name: 'ledger-behind' }] });
    expect(changesIn(decision)).toEqual([]);
  });

  it('also asks a provider that lends to it and has left the site file since', () => {
    const decision = decide(
      situationWith(lent, { seen: ahead, lists: [listOf('far')] }),
      siteOf({ ...policy, providers: ['far'] }),
    );
    expect(decision.toList).toEqual(['burst']);
  });

  it('sets a target newer than all that the controller has accepted, once all have been asked', () => {
    const decision = decided(lent, { lists: [listOf('burst', listedOf({ id: 'a' }))] }, ahead);
    expect(changesIn(decision)).toMatchObject([
      { kind: 'unconfirmed' },
      { kind: 'retarget', owned: 100, afterSequence: ahead.sequence },
    ]);
    expect(write(lent, noon, ...changesIn(decision)).target.sequence).toBe(ahead.sequence + 1);
  });

  it('builds no total before all providers have been asked, even where the site file says another number owned', () => {
    const decision = decide(situationWith(lent, { seen: ahead }), siteOf({ ...policy, owned: 90 }));
    expect(changesIn(decision)).toEqual([]);
  });

  it('builds no total before all providers have been asked, even where nothing is left of it', () => {
    expect(changesIn(decide(situationWith(lent, { seen: ahead, ledgers: [] }), site))).toEqual([]);
  });

  it('tells no provider of a return that it had confirmed before it has confirmed a total of its own again', () => {
    const leaving = write(lent, noon, { kind: 'withdraw', grant: 'a', returnId: 'r', tokens: 10, reason: '' });
    const lists = [listOf('burst', listedOf({ id: 'a' }))];
    const decision = decided(confirm(leaving), { lists }, { ...ahead, inUse: 100 });
    expect(write(confirm(leaving), noon, ...changesIn(decision)).grants).toMatchObject([
      { return: { phase: 'returning' } },
    ]);
    expect(write(confirm(leaving), noon, ...changesIn(decision)).grants[0]?.return).not.toHaveProperty('confirmedAt');
  });

  it('counts what it had asked for and is lent, as the newer total may', () => {
    const asked = confirm(ledgerOf(policy, { id: 'a', tokens: 10, unanswered: true }));
    const lists = [listOf('burst', listedOf({ id: 'a', tokens: 10 }))];
    const decision = decided(asked, { lists }, { ...ahead, total: 110, inUse: 110 });
    expect(changesIn(decision)).toMatchObject([{ kind: 'granted' }, { kind: 'unconfirmed' }, { kind: 'retarget' }]);
    expect(write(asked, noon, ...changesIn(decision)).target).toMatchObject({ borrowed: 10 });
  });

  it('drops at once what is lent no more, also while its tokens look used, and counts the rest', () => {
    const seen = { ...ahead, inUse: 110 };
    const held = lent.grants[0]?.tokens ?? 0;
    const some = changesIn(decided(lent, { lists: [listOf('burst', listedOf({ id: 'a', tokens: held - 4 }))] }, seen));
    expect(some[0]).toMatchObject({ kind: 'returned', grant: 'a', tokens: 4, elsewhere: true });
    expect(write(lent, noon, ...some).target.borrowed).toBe(held - 4);
    const none = changesIn(decided(lent, { lists: [listOf('burst')] }, seen));
    expect(write(lent, noon, ...none)).toMatchObject({ grants: [], target: { borrowed: 0 } });
  });

  it('abandons no request before it has confirmed a total of its own again', () => {
    const asked = confirm(ledgerOf(policy, { id: 'a', tokens: 10, unanswered: true }));
    const decision = decided(asked, { lists: [listOf('burst')] }, ahead);
    expect(changesIn(decision).map(({ kind }) => kind)).toEqual(['unconfirmed', 'retarget']);
  });

  it('is not written in each pass while the controller knows an epoch that no lease has reached', () => {
    const lists = [listOf('burst', listedOf({ id: 'a' }))];
    const seen = { ...ahead, epoch: epoch + 1 };
    const next = write(lent, noon, ...changesIn(decided(lent, { lists }, seen)));
    expect(changesIn(decided(next, { lists }, seen))).toEqual([]);
  });
});
