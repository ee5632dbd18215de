import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange } from '../../shared/domain/changes.ts';
import { countedTokens, sumTokens } from '../../shared/domain/grants.ts';
import { emptyLedger, isNewer, record, type Stamp } from '../../shared/domain/ledger.ts';
import type { Change, Grant, HistoryEntry, ResourceLedger } from '../../shared/domain/model.ts';
import { minute, noon, termsOf } from './builders.ts';

const terms = termsOf({ leaseSeconds: 3_600, minimumHoldSeconds: 60 });

/** One write: each of `picks` chooses among the changes that fit by then, `minutes` pass before it. */
const step = fc.record({
  picks: fc.array(fc.nat({ max: 99 }), { minLength: 1, maxLength: 3 }),
  part: fc.integer({ min: 1, max: 20 }),
  minutes: fc.nat({ max: 2_000 }),
  epochsOn: fc.nat({ max: 1 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function fitting(ledger: ResourceLedger, part: number, at: number, id: string): Change[] {
  const reason = 'because';
  if (ledger.version === 0) return [{ kind: 'opened', owned: 100, reason }];
  return [
    { kind: 'borrow', grant: id, provider: `p${part % 3}`, tokens: part, terms, reason },
    { kind: 'adopted', grant: id, provider: `p${part % 3}`, tokens: part, terms, expiresAt: at + minute, reason },
    { kind: 'retarget', owned: part, afterSequence: ledger.version + (part % 3), reason },
    { kind: 'unconfirmed', reason },
    ...ledger.grants.flatMap((grant) => fittingGrant(grant, part, at, reason)),
  ];
}

function fittingGrant(grant: Grant, part: number, at: number, reason: string): Change[] {
  const common = { grant: grant.id, reason };
  if (grant.state === 'requested') {
    const tokens = Math.min(part, grant.tokens);
    return [
      { kind: 'granted', ...common, tokens, terms, sentAt: at - 5, receivedAt: at },
      { kind: 'refused', ...common, retryAfterSeconds: part },
      { kind: 'abandoned', ...common },
    ];
  }
  const changes: Change[] = [
    { kind: 'renewed', ...common, leaseSeconds: 60 * part, sentAt: at },
    { kind: 'recalled', ...common, recall: { kind: part % 2 === 0 ? 'recalled' : 'lost', by: at } },
  ];
  const left = countedTokens(grant);
  if (left > 0 && grant.return?.phase !== 'returning') {
    changes.push({ kind: 'withdraw', ...common, returnId: `${grant.id}.r`, tokens: Math.min(part, left) });
  }
  if (grant.return?.phase === 'withdrawing') {
    changes.push({ kind: 'keep', ...common, tokens: Math.min(part, grant.return.tokens) });
  }
  if (grant.return?.phase === 'returning') changes.push({ kind: 'returned', ...common, tokens: grant.return.tokens });
  return changes;
}

/** The controller confirms what was written before, so its answer is a write of its own. */
function changesOf(ledger: ResourceLedger, { picks, part }: Step, at: number): Change[] {
  const { epoch, sequence } = ledger.target;
  if (ledger.version > 0 && (picks[0] ?? 0) % 4 === 0) {
    return [{ kind: 'confirmed', epoch, sequence, reason: 'applied' }];
  }
  const changes: Change[] = [];
  let draft = ledger;
  for (const [index, pick] of picks.entries()) {
    const choice = fitting(draft, part, at, `g${ledger.version}-${index}`);
    const change = choice[pick % choice.length];
    if (change === undefined || (change.kind === 'opened' && changes.length > 0)) break;
    changes.push(change);
    draft = applyChange(draft, change, at);
  }
  return changes;
}

/** A ledger's whole life, version by version. */
function live(steps: readonly Step[]): ResourceLedger[] {
  const versions = [emptyLedger('hfsshpc', noon)];
  let ledger = versions[0] ?? emptyLedger('hfsshpc', noon);
  let at = noon;
  let epoch = 1;
  for (const step of steps) {
    at += step.minutes * minute;
    epoch += step.epochsOn;
    ledger = record(ledger, changesOf(ledger, step, at), { at, by: 'decide', pass: 'p', epoch });
    versions.push(ledger);
  }
  return versions;
}

const lives = fc.array(step, { maxLength: 60 }).map(live);

/** As a store keeps it: nothing but JSON. */
function kept<Value>(value: Value): Value {
  const parsed: Value = JSON.parse(JSON.stringify(value));
  return parsed;
}

function fold(entries: readonly HistoryEntry[]): ResourceLedger {
  return entries.reduce(
    (ledger, { changes, at, by, pass, epoch }) => {
      const stamp: Stamp = { at, by, pass, epoch };
      return record(ledger, changes, stamp);
    },
    emptyLedger('hfsshpc', noon),
  );
}

describe('the history of a ledger', () => {
  it('folds to the very same ledger', () => {
    fc.assert(
      fc.property(lives, (versions) => {
        const entries = versions.slice(1).map(({ lastEntry }) => kept(lastEntry));
        expect(fold(entries)).toEqual(versions.at(-1));
      }),
    );
  });

  it('survives JSON unchanged', () => {
    fc.assert(
      fc.property(lives, (versions) => {
        expect(kept(versions)).toEqual(versions);
      }),
    );
  });

  it('has a target that changes only with a newer epoch and sequence, which only grow', () => {
    fc.assert(
      fc.property(lives, (versions) => {
        const targets = versions.map(({ target }) => target);
        const changed = targets.filter((target, index) => target !== targets[index - 1]);
        for (const [index, target] of changed.slice(1).entries()) {
          const before = changed[index];
          expect(before !== undefined && isNewer(target, before)).toBe(true);
          expect(target.sequence).toBeGreaterThan(before?.sequence ?? Infinity);
        }
        const changing = versions.filter(({ target }, index) => index > 0 && target !== targets[index - 1]);
        expect(changing.map(({ target }) => target.sequence)).toEqual(changing.map(({ version }) => version));
      }),
    );
  });

  it('has a target that counts what the grants count, in whole tokens', () => {
    fc.assert(
      fc.property(lives, (versions) => {
        for (const { target, grants } of versions) {
          expect(target.borrowed).toBe(sumTokens(grants, countedTokens));
          for (const { tokens } of grants) expect(Number.isInteger(tokens) && tokens > 0).toBe(true);
        }
      }),
    );
  });

  it('never leaves a grant unconfirmed under a confirmed target', () => {
    fc.assert(
      fc.property(lives, (versions) => {
        const confirmed = versions.filter(({ lastEntry }) => lastEntry.confirmed);
        const waiting = confirmed.flatMap(({ grants }) =>
          grants.filter(
            (grant) => grant.state === 'granted' || (grant.return && grant.return.confirmedAt === undefined),
          ),
        );
        expect(waiting).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
