import { describe, expect, it } from 'vitest';
import { decide } from '../../shared/domain/decide.ts';
import { isConfirmed } from '../../shared/domain/ledger.ts';
import { listGraceSeconds } from '../../shared/domain/limits.ts';
import type { ListedGrant, ObservedResource, ResourceLedger } from '../../shared/domain/model.ts';
import type { Decision, Situation } from '../../shared/domain/situation.ts';
import {
  confirm,
  epoch,
  grantIn,
  hour,
  ledgerOf,
  listedOf,
  listOf,
  look,
  minute,
  noon,
  observedOf,
  policyOf,
  second,
  siteOf,
  situationOf,
  termsOf,
  waitingOf,
  write,
} from './builders.ts';

const policy = policyOf();
const site = siteOf(policy);
const lent = ledgerOf(policy, { id: 'a', tokens: 10 });

/** All in use, so that nothing is withdrawn unless said otherwise. */
function decided(
  ledger: ResourceLedger,
  changes: Partial<Situation> = {},
  seen: Partial<ObservedResource> = {},
): Decision {
  const observation = look([observedOf(ledger, { inUse: 110, ...seen })]);
  return decide(situationOf({ ledgers: [ledger], observation, ...changes }), site);
}

const changesIn = ({ resources }: Decision) => resources.flatMap(({ changes }) => changes);

describe('the site file', () => {
  it('opens a ledger with what the site owns', () => {
    expect(changesIn(decide(situationOf(), site))).toEqual([
      { kind: 'opened', owned: 100, reason: 'the site owns 100 tokens' },
    ]);
  });

  it('sets a new target when it says another number owned', () => {
    const decision = decide(
      situationOf({ ledgers: [lent], observation: look([observedOf(lent, { inUse: 110 })]) }),
      siteOf({ ...policy, owned: 80 }),
    );
    expect(changesIn(decision)).toEqual([
      { kind: 'retarget', owned: 80, afterSequence: 0, reason: 'the site file says 80 owned, it was 100' },
    ]);
  });

  it('does not forget the grants of a resource that it no longer makes elastic', () => {
    const decision = decide(
      situationOf({
        ledgers: [lent],
        observation: look([observedOf(lent)]),
        lists: [listOf('burst', listedOf({ id: 'a' }))],
      }),
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
    const observation = look([observedOf(lent, { inUse: 0, ...ahead })], [waitingOf(1, { hfsshpc: 500 })]);
    const asking = { ledgers: [lent], observation };
    const decision = decide(situationOf({ ...asking, lists: [listOf('far')] }), two);
    expect(decision).toMatchObject({ toList: ['burst'], alarms: [{ name: 'ledger-behind' }] });
    expect(changesIn(decision)).toEqual([]);
  });

  it('also asks a provider that lends to it and has left the site file since', () => {
    const decision = decide(
      situationOf({ ledgers: [lent], observation: look([observedOf(lent, ahead)]), lists: [listOf('far')] }),
      siteOf({ ...policy, providers: ['far'] }),
    );
    expect(decision.toList).toEqual(['burst']);
  });

  it('sets a target newer than all that the controller has accepted, once all have been asked', () => {
    const decision = decided(lent, { lists: [listOf('burst', listedOf({ id: 'a' }))] }, ahead);
    expect(changesIn(decision)).toMatchObject([{ kind: 'retarget', owned: 100, afterSequence: ahead.sequence }]);
    expect(write(lent, noon, ...changesIn(decision)).target.sequence).toBe(ahead.sequence + 1);
  });

  it('builds no total before all providers have been asked, even where the site file says another number owned', () => {
    const observation = look([observedOf(lent, { inUse: 0, ...ahead })]);
    const decision = decide(situationOf({ ledgers: [lent], observation }), siteOf({ ...policy, owned: 90 }));
    expect(changesIn(decision)).toEqual([]);
  });

  it('builds no total before all providers have been asked, even where nothing is left of it', () => {
    const observation = look([observedOf(lent, { inUse: 0, ...ahead })]);
    expect(changesIn(decide(situationOf({ observation }), site))).toEqual([]);
  });

  it('is not written in each pass while the controller knows an epoch that no lease has reached', () => {
    const lists = [listOf('burst', listedOf({ id: 'a' }))];
    const seen = { ...ahead, epoch: epoch + 1 };
    const next = write(lent, noon, ...changesIn(decided(lent, { lists }, seen)));
    expect(changesIn(decided(next, { lists }, seen))).toEqual([]);
  });
});

describe("a provider's list", () => {
  const listed = (changes: Partial<ListedGrant> = {}) => ({
    lists: [listOf('burst', listedOf({ id: 'a', ...changes }))],
  });
  const asked = ledgerOf(policy, { id: 'a', tokens: 10, unanswered: true });

  it('that agrees changes nothing', () => {
    expect(decided(lent, listed())).toMatchObject({ resources: [], alarms: [], orphans: [] });
  });

  it('without a grant of the ledger, or with fewer tokens, means that it is lost', () => {
    for (const lists of [[listOf('burst')], listed({ tokens: 9 }).lists, listed({ state: 'ended', tokens: 0 }).lists]) {
      const decision = decided(lent, { lists });
      expect(decision.alarms).toMatchObject([{ name: 'grant-lost' }]);
      expect(changesIn(decision)).toMatchObject([{ kind: 'recalled', grant: 'a', recall: { kind: 'lost' } }]);
    }
  });

  it('finds a lost grant once, and not again in each pass', () => {
    const after = write(lent, noon, ...changesIn(decided(lent, { lists: [listOf('burst')] })));
    expect(decided(after, { lists: [listOf('burst')] })).toMatchObject({ resources: [], alarms: [] });
  });

  it('with more tokens than the ledger holds is not passed over in silence', () => {
    const { resources, alarms } = decided(lent, listed({ tokens: 15 }));
    expect([...resources, ...alarms]).not.toEqual([]);
  });

  it('is not believed about grants that are younger than a pass may take', () => {
    const young = ledgerOf(policy, { id: 'a', tokens: 10, at: noon - (listGraceSeconds - 1) * second });
    expect(changesIn(decided(young, { lists: [listOf('burst')] }))).toEqual([]);
    const old = ledgerOf(policy, { id: 'a', tokens: 10, at: noon - listGraceSeconds * second });
    expect(changesIn(decided(old, { lists: [listOf('burst')] }))).toHaveLength(1);
  });

  it('says nothing about requests without an answer, and nothing about the grants of others', () => {
    const observation = look([observedOf(asked, { inUse: 100 })], [waitingOf(1, { hfsshpc: 10 })]);
    expect(changesIn(decided(asked, { observation, lists: [listOf('burst')] }))).toEqual([]);
    expect(changesIn(decided(asked, { observation, ...listed() }))).toEqual([]);
    expect(changesIn(decided(lent, { lists: [listOf('far')] }))).toEqual([]);
  });

  it('says nothing about a return that is under way', () => {
    const leaving = write(lent, noon, { kind: 'withdraw', grant: 'a', returnId: 'r', tokens: 10, reason: '' });
    expect(changesIn(decided(confirm(leaving), { lists: [listOf('burst')] }, { inUse: 100 }))).toEqual([]);
  });

  it('brings a recall, with the time by which the tokens are wanted', () => {
    expect(changesIn(decided(lent, listed({ recalled: { withinSeconds: 900 } })))).toEqual([
      {
        kind: 'recalled',
        grant: 'a',
        recall: { kind: 'recalled', by: noon + 15 * minute },
        reason: 'burst wants it back',
      },
    ]);
    const recalled = write(lent, noon, ...changesIn(decided(lent, listed({ recalled: {} }))));
    expect(grantIn(recalled, 'a').recall).toEqual({ kind: 'recalled' });
    expect(changesIn(decided(recalled, listed({ recalled: {} })))).toEqual([]);
  });

  it('brings a grant that the ledger does not hold, with its end', () => {
    const orphan = listedOf({ id: 'b', tokens: 7, expiresInSeconds: 3_600, terms: termsOf({ leaseSeconds: 7_200 }) });
    const decision = decided(lent, { lists: [listOf('burst', listedOf({ id: 'a' }), orphan)] }, { inUse: 117 });
    expect(decision.alarms).toMatchObject([{ name: 'orphan-grant' }]);
    expect(changesIn(decision)).toMatchObject([
      { kind: 'adopted', grant: 'b', provider: 'burst', tokens: 7, expiresAt: noon + hour },
    ]);
  });

  it('brings no grant that may yet be recorded, has ended, or is still pending', () => {
    for (const change of [{ ageSeconds: 59 }, { state: 'ended' }, { state: 'pending' }] as const) {
      const lists = [listOf('burst', listedOf({ id: 'a' }), listedOf({ id: 'b', ...change }))];
      expect(decided(lent, { lists })).toMatchObject({ resources: [], alarms: [], orphans: [] });
    }
  });

  it('has grants given back that are for no resource of the site file and in no ledger', () => {
    const foreign = listedOf({ id: 'b', resource: 'gone', tokens: 7 });
    const lists = [listOf('burst', listedOf({ id: 'a' }), foreign, { ...foreign, id: 'c', state: 'ended' })];
    expect(decided(lent, { lists }).orphans).toEqual([{ provider: 'burst', grant: 'b', tokens: 7 }]);
  });
});
