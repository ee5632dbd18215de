import { describe, expect, it } from 'vitest';
import { decide } from '../../shared/domain/decide.ts';
import type { UnreadableItem } from '../../shared/domain/model.ts';
import {
  ledgerOf,
  listedOf,
  listOf,
  look,
  observedOf,
  offerOf,
  policyOf,
  providerOf,
  siteOf,
  situationOf,
  waitingOf,
} from './builders.ts';

const policy = policyOf();
const other = policyOf({ resource: 'hfss_solve' });
const site = siteOf(policy, other);
const lent = ledgerOf(policy, { id: 'a', tokens: 10 });
const otherLedger = ledgerOf(other);
const unreadable: UnreadableItem[] = [{ kind: 'resource', name: 'hfsshpc', reason: 'schema 2' }];

function decided(...waiting: ReturnType<typeof waitingOf>[]) {
  const observation = look([observedOf(lent, { inUse: 110 }), observedOf(otherLedger, { inUse: 100 })], waiting);
  const lists = [listOf('burst', listedOf({ id: 'a', tokens: 10 }))];
  const providers = [providerOf('burst', offerOf(), offerOf({ resource: 'hfss_solve' }))];
  return decide(situationOf({ ledgers: [otherLedger], providers, unreadable, observation, lists }), site);
}

describe('a resource whose ledger can not be read', () => {
  it('is brought to a person, and nothing is done about it: no new ledger, nothing taken over or given back', () => {
    const { resources, orphans, alarms } = decided();
    expect(resources).toEqual([]);
    expect(orphans).toEqual([]);
    expect(alarms).toMatchObject([{ name: 'ledger-unreadable', message: expect.stringContaining('schema 2') }]);
  });

  it('leaves the others as they are: they borrow for their jobs', () => {
    const { resources } = decided(waitingOf(1, { hfss_solve: 5 }));
    expect(resources).toMatchObject([{ resource: 'hfss_solve', changes: [{ kind: 'borrow', tokens: 5 }] }]);
  });

  it('has nothing of the others borrowed for jobs that need it too', () => {
    const { resources } = decided(waitingOf(1, { hfss_solve: 5, hfsshpc: 1 }));
    expect(resources.flatMap(({ changes }) => changes)).toEqual([]);
  });
});
