import { describe, expect, it } from 'vitest';
import { decide } from '../../shared/domain/decide.ts';
import { record } from '../../shared/domain/ledger.ts';
import { describeAfterSeconds, maxOpenGrants } from '../../shared/domain/limits.ts';
import {
  decisionFor,
  epoch,
  ledgerOf,
  listedOf,
  listOf,
  minute,
  noon,
  offerOf,
  ofKind,
  policyOf,
  providerOf,
  second,
  siteOf,
  situationWith,
  waitingOf,
  write,
} from './builders.ts';
import { asked, short } from './shortage.ts';

const policy = policyOf();
const ledger = ledgerOf(policy);

describe('how much is borrowed', () => {
  it('asks for what the waiting jobs lack, and says for whom', () => {
    expect(decisionFor(policy, short(ledger, 32)).changes).toEqual([
      {
        kind: 'borrow',
        grant: expect.stringMatching(/^lab\.hfsshpc\.3-/),
        provider: 'burst',
        tokens: 32,
        terms: { block: 1, minimumHoldSeconds: 0, partialReturns: true, costPerTokenHour: 1 },
        reason: '32 tokens from burst: 1 job has waited 5 min for 32 hfsshpc',
      },
    ]);
  });

  it("rounds up to the provider's block", () => {
    const providers = [providerOf('burst', offerOf({ block: 25 }))];
    expect(asked(policy, short(ledger, 32, { providers }))).toEqual([['burst', 50]]);
  });

  it('borrows nothing when a whole block would exceed a cap', () => {
    const providers = [providerOf('burst', offerOf({ block: 25 }))];
    expect(asked({ ...policy, maxBorrowed: 49 }, short(ledger, 32, { providers }))).toEqual([]);
    expect(asked({ ...policy, maxBorrowed: 50 }, short(ledger, 32, { providers }))).toEqual([['burst', 50]]);
  });

  it('asks for no more than maxStep in one pass, in whole blocks', () => {
    const providers = [providerOf('burst', offerOf({ block: 8 }))];
    expect(asked({ ...policy, maxStep: 20 }, short(ledger, 100, { providers }))).toEqual([['burst', 16]]);
  });

  it('counts what is lent already against maxBorrowed', () => {
    const lent = ledgerOf(policy, { id: 'a', tokens: 150 });
    expect(asked(policy, short(lent, 51))).toEqual([]);
    expect(asked(policy, short(lent, 50))).toEqual([['burst', 50]]);
  });

  it('counts what was asked for and never answered against maxBorrowed', () => {
    const unknown = ledgerOf(policy, { id: 'a', tokens: 150, unanswered: true });
    expect(asked(policy, short(unknown, 200))).toEqual([['burst', 50]]);
    expect(asked(policy, short(unknown, 201))).toEqual([]);
  });

  it('counts what is on its way back against maxBorrowed', () => {
    const lent = ledgerOf(policy, { id: 'a', tokens: 150 });
    const leaving = { kind: 'withdraw', grant: 'a', returnId: 'r', tokens: 150, reason: 'unused' } as const;
    const withdrawn = write(lent, noon, leaving);
    expect(asked(policy, short(withdrawn, 50))).toEqual([['burst', 50]]);
    expect(asked(policy, short(withdrawn, 51))).toEqual([]);
  });

  it("never exceeds the provider's maximum, counting what it lends already", () => {
    const providers = [providerOf('burst', offerOf({ maximum: 64 }))];
    expect(asked(policy, short(ledgerOf(policy, { id: 'a', tokens: 32 }), 32, { providers }))).toEqual([['burst', 32]]);
    expect(asked(policy, short(ledgerOf(policy, { id: 'a', tokens: 33 }), 32, { providers }))).toEqual([]);
  });

  it('borrows nothing more while what is coming covers the demand', () => {
    const coming = ledgerOf(policy, { id: 'a', tokens: 32, unanswered: true });
    expect(asked(policy, short(coming, 32))).toEqual([]);
  });

  it('names the limit, also where less than a block is left of every cap', () => {
    const providers = [providerOf('burst', offerOf({ block: 8 }))];
    const { note } = decisionFor({ ...policy, maxBorrowed: 10 }, short(ledger, 9, { providers }));
    expect(note).toMatch(/^1 job for 9 hfsshpc can't start: hfsshpc: \S/);
  });

  it(`opens no more than ${maxOpenGrants} grants`, () => {
    const loans = Array.from({ length: maxOpenGrants }, (_, index) => ({ id: `g${index}`, tokens: 1 }));
    const full = ledgerOf(policyOf({ maxBorrowed: 1_000 }), ...loans);
    const decision = decisionFor(policyOf({ maxBorrowed: 1_000 }), short(full, 10));
    expect(decision).toMatchObject({ changes: [], note: expect.stringContaining('200 grants are open') });
  });
});

describe('several providers', () => {
  const both = policyOf({ providers: ['near', 'far'] });
  const near = offerOf({ maximum: 20, costPerTokenHour: 2 });
  const far = offerOf({ maximum: 100, costPerTokenHour: 1 });
  const providers = [providerOf('far', far), providerOf('near', near)];

  it('are asked in the listed order, the rest of the next', () => {
    expect(asked(both, short(ledger, 32, { providers }))).toEqual([
      ['near', 20],
      ['far', 12],
    ]);
  });

  it('are asked by cost where the policy says cheapest, equals in the listed order', () => {
    expect(asked({ ...both, providerOrder: 'cheapest' }, short(ledger, 32, { providers }))).toEqual([['far', 32]]);
    const equal = [providerOf('far', { ...far, costPerTokenHour: 2 }), providerOf('near', near)];
    expect(asked({ ...both, providerOrder: 'cheapest' }, short(ledger, 10, { providers: equal }))).toEqual([
      ['near', 10],
    ]);
  });

  it('share one maxBorrowed and one maxStep', () => {
    expect(asked({ ...both, maxBorrowed: 30 }, short(ledger, 30, { providers }))).toEqual([
      ['near', 20],
      ['far', 10],
    ]);
    expect(asked({ ...both, maxStep: 30 }, short(ledger, 100, { providers }))).toEqual([
      ['near', 20],
      ['far', 10],
    ]);
  });

  it('keep a partial grant and ask the next for the rest', () => {
    const terms = { block: 1, minimumHoldSeconds: 0, partialReturns: true, costPerTokenHour: 2 };
    const half = write(
      ledger,
      noon,
      { kind: 'borrow', grant: 'a', provider: 'near', tokens: 20, terms, reason: '' },
      { kind: 'granted', grant: 'a', tokens: 5, terms, sentAt: noon, receivedAt: noon, reason: '' },
    );
    const waiting = [waitingOf(1, { hfsshpc: 20 })];
    expect(asked(both, situationWith(half, { seen: { inUse: 100 }, waiting, providers }))).toEqual([['far', 15]]);
  });

  it('are passed over while they do not answer', () => {
    expect(asked(both, short(ledger, 32, { providers, unreachable: ['near'] }))).toEqual([['far', 32]]);
  });

  it('are passed over while they recall tokens', () => {
    const lent = ledgerOf(both, { id: 'a', provider: 'near', tokens: 5 });
    const recall = { kind: 'recalled', grant: 'a', recall: { kind: 'recalled' }, reason: 'wants it' } as const;
    const situation = short(write(lent, noon, recall), 32, { providers });
    expect(asked(both, situation)).toEqual([['far', 32]]);
  });

  it('are passed over in the very pass that learns of the recall', () => {
    const lent = ledgerOf(both, { id: 'a', provider: 'near', tokens: 5 });
    const lists = [listOf('near', listedOf({ id: 'a', tokens: 5, recalled: {} }))];
    expect(asked(both, short(lent, 32, { providers, lists }))).toEqual([['far', 32]]);
  });
});

describe("a provider's description", () => {
  it('is asked for before anything is borrowed from it', () => {
    const { toDescribe, resources } = decide(short(ledger, 10, { providers: [] }), siteOf(policy));
    expect(toDescribe).toEqual(['burst']);
    expect(resources).toEqual([
      {
        resource: 'hfsshpc',
        changes: [],
        note: "1 job for 10 hfsshpc can't start: hfsshpc: burst has not described itself",
      },
    ]);
  });

  it('is asked for again once it is old', () => {
    const situation = (seconds: number) => short(ledger, 10, { now: noon + seconds * second });
    expect(decide(situation(describeAfterSeconds - 1), siteOf(policy)).toDescribe).toEqual([]);
    expect(decide(situation(describeAfterSeconds), siteOf(policy)).toDescribe).toEqual(['burst']);
  });

  it('is not asked for while no job waits', () => {
    const situation = situationWith(ledger, { seen: { inUse: 100 }, providers: [] });
    expect(decide(situation, siteOf(policy)).toDescribe).toEqual([]);
  });

  it('may leave the resource out, and then nothing is borrowed', () => {
    const providers = [providerOf('burst', offerOf({ resource: 'other' }))];
    expect(decisionFor(policy, short(ledger, 10, { providers })).note).toContain('burst does not lend it');
  });
});

describe('the id of a request', () => {
  it('is new with each write and each epoch', () => {
    const ids = new Set<string | undefined>();
    for (const next of [ledger, write(ledger, noon), write(write(ledger, noon), noon)]) {
      for (const lease of [epoch, epoch + 1]) {
        const decision = decisionFor(policy, short(next, 10, { epoch: lease }));
        ids.add(ofKind(decision, 'borrow')[0]?.grant);
      }
    }
    expect(ids.size).toBe(6);
  });

  it('is never that of a grant which the ledger already holds, as after a restore from a backup', () => {
    const [lost] = ofKind(decisionFor(policy, short(ledger, 10)), 'borrow');
    const lists = [listOf('burst', listedOf({ id: lost?.grant ?? '', tokens: 10 }))];
    const { changes } = decisionFor(policy, short(ledger, 30, { lists, now: noon + minute }));
    expect(changes.map(({ kind }) => kind)).toEqual(['adopted', 'borrow']);
    expect(() => record(ledger, changes, { at: noon, by: 'decide', pass: 'p', epoch })).not.toThrow();
  });

  it('is not made again after a restore from a backup, even of a ledger that was ahead in the same epoch', () => {
    const [before] = ofKind(decisionFor(policy, short(ledger, 10)), 'borrow');
    const situation = situationWith(ledger, {
      seen: { inUse: 100, sequence: ledger.version + 5 },
      waiting: [waitingOf(1, { hfsshpc: 20 })],
      now: noon + minute,
      lists: [listOf('burst')],
    });
    const [after] = ofKind(decisionFor(policy, situation), 'borrow');
    expect(after?.tokens).toBe(20);
    expect(after?.grant).not.toBe(before?.grant);
  });

  it('fits the contract with the longest names', () => {
    const name = 'r'.repeat(128);
    const long = policyOf({ resource: name });
    const empty = ledgerOf(long);
    const providers = [providerOf('burst', offerOf({ resource: name }))];
    const situation = short(empty, 10, { epoch: 999_999_999, providers });
    const { resources } = decide(situation, { site: 's'.repeat(64), resources: [long] });
    const id = ofKind(resources[0] ?? { changes: [] }, 'borrow')[0]?.grant ?? '';
    expect(id.length).toBeGreaterThan(192);
    expect(id.length).toBeLessThanOrEqual(256 - '.r999999999'.length);
  });
});
