import { describe, expect, it } from 'vitest';
import type { HistoryEntryAnswer } from '../../../../shared/contracts/status-history.ts';
import { PromiseBroken } from '../../../promises/check.ts';
import { holdPromises, type Records } from './promises.ts';
import { licence, maxBorrowed, owned } from './site.ts';
import type { Reading } from './witness.ts';

const borrowed = 16;
const grant = 'grant-1';
const reason = '';
const terms = { block: 4, minimumHoldSeconds: 60, partialReturns: true, costPerTokenHour: 0.3 };

const at = <T>(second: number, value: T): Reading<T> => ({ from: second * 1000, to: second * 1000 + 10, value });
const total = (borrowedNow: number, sequence: number) => ({ total: owned + borrowedNow, epoch: 1, sequence });
const entry = (
  version: number,
  borrowedNow: number,
  confirmed: boolean,
  ...changes: HistoryEntryAnswer['changes']
): HistoryEntryAnswer => ({
  version,
  at: new Date(version * 1000).toISOString(),
  by: 'decide',
  epoch: 1,
  changes,
  target: { owned, borrowed: borrowedNow, ...total(borrowedNow, version) },
  confirmed,
});

/** 16 tokens are borrowed for a job of 24, and given back after it. */
const good: Records = {
  testimony: {
    counted: [at(0, { total: owned, used: 0 }), at(5, { total: 26, used: 24 }), at(9, { total: owned, used: 0 })],
    accepted: [at(2, total(borrowed, 1)), at(5.1, total(borrowed, 1)), at(8, total(0, 2))],
    lent: [at(1, new Map([[grant, borrowed]])), at(8.5, new Map([[grant, borrowed]])), at(9.5, new Map())],
  },
  accepted: [total(borrowed, 1), total(borrowed, 1), total(0, 2)],
  history: [
    entry(1, 0, false, { kind: 'borrow', grant, reason, provider: 'burst', tokens: borrowed, terms }),
    entry(2, borrowed, true, { kind: 'granted', grant, reason, tokens: borrowed, terms, sentAt: '', receivedAt: '' }),
    entry(3, 0, false, { kind: 'withdraw', grant, reason, returnId: 'return-1', tokens: borrowed }),
    entry(4, 0, true, { kind: 'confirmed', reason, epoch: 1, sequence: 2 }),
    entry(5, 0, true, { kind: 'returned', grant, reason, tokens: borrowed }),
  ],
  jobs: [{ id: '1', state: 'COMPLETED', startSeconds: 3, endSeconds: 6, licences: { [licence]: 24 } }],
  forgotAt: [],
};
const { testimony, history } = good;

const broken: readonly (readonly [promise: number, what: string, records: Partial<Records>])[] = [
  [1, 'slurmctld shows a total that is not lent', { testimony: { ...testimony, lent: [at(1, new Map())] } }],
  [
    1,
    'slurmctld shows a total that was not accepted',
    { testimony: { ...testimony, accepted: [at(2, total(0, 1)), at(8, total(0, 2))] } },
  ],
  [2, 'more is in use than the total', { testimony: { ...testimony, counted: [at(5, { total: 26, used: 27 })] } }],
  [
    2,
    'tokens are returned before the lower total is confirmed',
    { history: history.filter(({ version }) => version !== 4) },
  ],
  [
    2,
    'jobs hold more than the total',
    {
      jobs: [...good.jobs, { id: '2', state: 'COMPLETED', startSeconds: 4, endSeconds: 5, licences: { [licence]: 3 } }],
    },
  ],
  [
    3,
    'more is lent under an id later on',
    { testimony: { ...testimony, lent: [...testimony.lent, at(10, new Map([[grant, borrowed]]))] } },
  ],
  [4, 'the ledger does not know a grant', { history: [] }],
  [5, 'an older total is accepted', { accepted: [total(borrowed, 2), total(0, 1)] }],
  [
    6,
    'more is lent than may be borrowed',
    { testimony: { ...testimony, lent: [at(1, new Map([[grant, maxBorrowed + 1]]))] } },
  ],
];

describe('the promises of a site on a real Slurm', () => {
  it('hold where all goes well', () => {
    holdPromises(good);
  });

  it.each(broken)('%i is broken where %s', (promise, _, records) => {
    let error: unknown;
    try {
      holdPromises({ ...good, ...records });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(PromiseBroken);
    expect(error).toMatchObject({ number: promise });
  });
});
