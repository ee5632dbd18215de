import { describe, expect, it } from 'vitest';
import { maximumBodyBytes } from '../../shared/adapters/dynamodb/items.ts';
import { emptyLedger, record } from '../../shared/domain/ledger.ts';
import { maxOpenGrants, maxReasonLength } from '../../shared/domain/limits.ts';
import type { Change, ResourceLedger } from '../../shared/domain/model.ts';
import { start } from '../reconcile/lab.ts';

const stamp = { at: start, by: 'decide', pass: 'p'.repeat(40), epoch: 1 } as const;
const reason = 'r'.repeat(maxReasonLength);
const terms = {
  block: 1_000_000,
  minimumHoldSeconds: 86_400.5,
  partialReturns: false,
  leaseSeconds: 86_400.5,
  costPerTokenHour: 0.123456789,
};
/** Of a site and a resource with the longest names. */
const idOf = (index: number): string =>
  `${'s'.repeat(64)}.${'r'.repeat(128)}.999999-${start.toString(36)}-999999-${index}`;

/** As many grants as may be open, with all that a grant can have, and one change to each in one write. */
function largest(change: (grant: string) => Change): ResourceLedger {
  const ids = Array.from({ length: maxOpenGrants }, (_, index) => idOf(index));
  let ledger = record(emptyLedger('r'.repeat(128), start), [{ kind: 'opened', owned: 8, reason }], stamp);
  const common = { provider: 'p'.repeat(64), tokens: 1_000_000, terms, reason };
  for (const grant of ids) {
    const answer = { kind: 'granted', grant, sentAt: start, receivedAt: start, expiresInSeconds: 86_400.5 } as const;
    ledger = record(
      ledger,
      [
        { kind: 'borrow', grant, ...common },
        { ...answer, ...common },
      ],
      stamp,
    );
  }
  const returns = ids.map((grant): Change => ({
    kind: 'withdraw',
    grant,
    returnId: `${grant}.r${start.toString(36)}-999999`,
    tokens: 1,
    reason: '',
  }));
  return record(record(ledger, returns, stamp), ids.map(change), stamp);
}

describe('the largest ledger', () => {
  it.each<[string, (grant: string) => Change]>([
    ['recalled at once', (grant) => ({ kind: 'recalled', grant, recall: { kind: 'recalled', by: start }, reason })],
    ['withdrawn at once', (grant) => ({ kind: 'withdraw', grant, returnId: `${grant}.r`, tokens: 7, reason })],
  ])('fits into one item of the table with all its grants %s', (_what, change) => {
    expect(Buffer.byteLength(JSON.stringify(largest(change)))).toBeLessThan(maximumBodyBytes);
  });
});
