import { describe, expect, it } from 'vitest';
import { listGraceSeconds, maxOpenGrants } from '../../shared/domain/limits.ts';
import type { ListedGrant } from '../../shared/domain/model.ts';
import {
  confirm,
  grantIn,
  hour,
  ledgerOf,
  listedOf,
  listOf,
  look,
  minute,
  noon,
  observedOf,
  second,
  termsOf,
  waitingOf,
  write,
} from './builders.ts';
import { changesIn, decided, lent, policy } from './lent-and-used.ts';

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

  it('with fewer tokens than stay when a return is done means that they are lost', () => {
    const leaving = write(lent, noon, { kind: 'withdraw', grant: 'a', returnId: 'r', tokens: 4, reason: '' });
    const partly = (tokens: number) => changesIn(decided(confirm(leaving), listed({ tokens }), { inUse: 106 }));
    expect(partly(10)).toEqual([]);
    expect(partly(7)).toEqual([]);
    expect(partly(5)).toMatchObject([{ kind: 'recalled', grant: 'a', recall: { kind: 'lost' } }]);
  });

  it('with just what stays means that the return is done, whoever did it', () => {
    const leaving = write(lent, noon, { kind: 'withdraw', grant: 'a', returnId: 'r', tokens: 4, reason: '' });
    expect(changesIn(decided(confirm(leaving), listed({ tokens: 6 }), { inUse: 106 }))).toMatchObject([
      { kind: 'returned', grant: 'a', tokens: 4 },
    ]);
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

  it('brings no more grants than one ledger may hold open, and the others are reported to a person', () => {
    const many = Array.from({ length: maxOpenGrants + 5 }, (_, index) => listedOf({ id: `b${index}`, tokens: 1 }));
    const decision = decided(lent, { lists: [listOf('burst', listedOf({ id: 'a' }), ...many)] }, { inUse: 500 });
    expect(changesIn(decision)).toHaveLength(maxOpenGrants - 1);
    expect(decision.alarms).toContainEqual({ name: 'orphan-grant', message: expect.stringContaining('(6 more)') });
  });

  it('has grants given back that are for no resource of the site file and in no ledger', () => {
    const foreign = listedOf({ id: 'b', resource: 'gone', tokens: 7 });
    const lists = [listOf('burst', listedOf({ id: 'a' }), foreign, { ...foreign, id: 'c', state: 'ended' })];
    expect(decided(lent, { lists }).orphans).toEqual([{ provider: 'burst', grant: 'b', tokens: 7 }]);
  });
});
