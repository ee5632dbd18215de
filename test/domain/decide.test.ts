import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { borrowable } from '../../shared/domain/borrowable.ts';
import { decide } from '../../shared/domain/decide.ts';
import type { SitePolicy } from '../../shared/domain/model.ts';
import type { Situation } from '../../shared/domain/situation.ts';
import { peakWindowSeconds } from '../../shared/domain/situation.ts';
import {
  deepFreeze,
  ledgerOf,
  listedOf,
  listOf,
  look,
  minute,
  noon,
  observedOf,
  offerOf,
  policyOf,
  providerOf,
  siteOf,
  situationOf,
  waitingOf,
} from './builders.ts';

const names = ['hfss_solve', 'hfsshpc', 'vcs'];
const lenders = ['far', 'near'];
const small = fc.integer({ min: 0, max: 60 });
const positive = fc.integer({ min: 1, max: 60 });

const arbitraryPolicy = fc
  .tuple(
    ...names.map((resource) =>
      fc
        .record({
          owned: small,
          maxBorrowed: small,
          maxStep: positive,
          borrowAfterSeconds: fc.constantFrom(0, 60),
          headroom: fc.constantFrom(0, 5),
          providers: fc.constantFrom(lenders, ['near'], ['far', 'near']),
          providerOrder: fc.constantFrom('listed' as const, 'cheapest' as const),
          spendingCap: fc.record({ amount: small, per: fc.constantFrom('day' as const, 'month' as const) }),
        })
        .map((rules) => policyOf({ resource, ...rules })),
    ),
  )
  .map((policies) => siteOf(...policies));

const arbitraryLoan = fc.record({
  provider: fc.constantFrom(...lenders),
  tokens: positive,
  unanswered: fc.boolean(),
  terms: fc.record({
    block: fc.constantFrom(1, 4),
    partialReturns: fc.boolean(),
    costPerTokenHour: fc.nat({ max: 3 }),
  }),
});

function arbitrarySituation(policy: SitePolicy): fc.Arbitrary<Situation> {
  const ledgers = fc.tuple(
    ...policy.resources.map((resource) =>
      fc
        .array(arbitraryLoan, { maxLength: 4 })
        .map((loans) =>
          ledgerOf(resource, ...loans.map((loan, index) => ({ id: `${resource.resource}.${index}`, ...loan }))),
        ),
    ),
  );
  const offers = fc.tuple(
    ...names.map((resource) =>
      fc
        .record({ block: fc.constantFrom(1, 8), maximum: small, costPerTokenHour: fc.nat({ max: 3 }) })
        .map((changes) => offerOf({ resource, ...changes })),
    ),
  );
  const waiting = fc.array(
    fc
      .record({
        jobs: positive,
        needs: fc.dictionary(fc.constantFrom(...names), small, { minKeys: 1 }),
        seconds: small,
      })
      .map(({ jobs, needs, seconds }) => waitingOf(jobs, needs, seconds)),
    { maxLength: 4 },
  );
  const listed = fc.array(
    fc.record({ resource: fc.constantFrom(...names, 'gone'), index: fc.nat({ max: 5 }), tokens: positive }),
    { maxLength: 6 },
  );
  const use = fc.array(small, { minLength: names.length, maxLength: names.length });
  return fc
    .record({ ledgers, offers: fc.tuple(offers, offers), waiting, use, lists: fc.tuple(listed, listed) })
    .map(({ ledgers, offers, waiting, use, lists }) =>
      situationOf({
        ledgers,
        providers: lenders.map((name, index) => providerOf(name, ...(offers[index] ?? []))),
        lists: lenders.map((name, index) => {
          const grants = new Map(
            (lists[index] ?? []).map((grant) => [`${grant.resource}.${name}.${grant.index}`, grant]),
          );
          return listOf(name, ...[...grants].map(([id, { resource, tokens }]) => listedOf({ id, resource, tokens })));
        }),
        observation: look(
          ledgers.map((ledger, index) => observedOf(ledger, { inUse: use[index] ?? 0 })),
          waiting,
        ),
      }),
    );
}

const cases = arbitraryPolicy.chain((policy) => fc.tuple(fc.constant(policy), arbitrarySituation(policy)));

describe('the decision', () => {
  it('is the same for the same input, which it leaves as it was', () => {
    fc.assert(
      fc.property(cases, ([policy, situation]) => {
        const copy = structuredClone(situation);
        const first = decide(deepFreeze(situation), deepFreeze(policy));
        expect(decide(copy, structuredClone(policy))).toEqual(first);
      }),
    );
  });

  it('does not depend on the order in which ledgers, providers, lists and observed resources are read', () => {
    fc.assert(
      fc.property(cases, ([policy, situation]) => {
        const { ledgers, providers, lists, observation } = situation;
        const reversed = {
          ...situation,
          ledgers: ledgers.toReversed(),
          providers: providers.toReversed(),
          lists: lists.map((list) => ({ ...list, grants: list.grants.toReversed() })).toReversed(),
          ...(observation && { observation: { ...observation, resources: observation.resources.toReversed() } }),
        };
        expect(decide(reversed, policy)).toEqual(decide(situation, policy));
      }),
    );
  });

  it('names whole, positive numbers of tokens and a reason for each change', () => {
    fc.assert(
      fc.property(cases, ([policy, situation]) => {
        for (const change of decide(situation, policy).resources.flatMap(({ changes }) => changes)) {
          const tokens = 'tokens' in change ? change.tokens : 1;
          expect(Number.isInteger(tokens) && tokens > 0).toBe(true);
          expect(change.reason).toMatch(/\S$/);
        }
      }),
    );
  });

  it('gives a reason where nothing more is borrowed although jobs wait', () => {
    fc.assert(
      fc.property(cases, ([policy, situation]) => {
        const notes = decide(situation, policy).resources.flatMap(({ note }) => note ?? []);
        for (const note of notes) expect(note).toMatch(/can't start: .*[^\s:]$/);
      }),
    );
  });

  it('asks for no more than could be borrowed, in whole blocks, within one step', () => {
    fc.assert(
      fc.property(cases, ([policy, situation]) => {
        for (const { resource, changes } of decide({ ...situation, lists: [] }, policy).resources) {
          const rules = policy.resources.find((rules) => rules.resource === resource);
          const ledger = situation.ledgers.find((ledger) => ledger.resource === resource);
          const observed = situation.observation?.resources.find(({ name }) => name === resource);
          if (rules === undefined || ledger === undefined) continue;
          const { tokens } = borrowable({ policy: rules, ledger, observed, changes: [] }, situation);
          const requests = changes.filter((change) => change.kind === 'borrow');
          const asked = requests.reduce((sum, { tokens }) => sum + tokens, 0);
          expect(asked).toBeLessThanOrEqual(Math.min(tokens, rules.maxStep));
          for (const { tokens, terms } of requests) expect(tokens % terms.block).toBe(0);
        }
      }),
    );
  });
});

describe('the question to the controller', () => {
  it('looks back as far as the longest returnAfter, and an hour at least', () => {
    expect(peakWindowSeconds(siteOf(policyOf({ returnAfterSeconds: 60 })))).toBe(3_600);
    expect(peakWindowSeconds(siteOf(policyOf(), policyOf({ returnAfterSeconds: 7_200 })))).toBe(7_200);
  });
});

describe('a resource that the controller no longer reports', () => {
  it('is brought to a person while tokens of it are borrowed, since nothing can be decided about them', () => {
    const policy = policyOf();
    const ledger = ledgerOf(policy, { id: 'a', tokens: 10, at: noon - 30 * minute });
    const { alarms } = decide(situationOf({ ledgers: [ledger], observation: look([]) }), siteOf(policy));
    expect(alarms).not.toEqual([]);
  });
});
