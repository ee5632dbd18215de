import { describe, expect, it } from 'vitest';
import { describeOffers, OffersInvalid, stockOffers, type PoolOffer } from '../../shared/pool/offer.ts';
import { anOffer } from './support.ts';

const revisionOf = (...offers: PoolOffer[]): string =>
  describeOffers('burst', stockOffers('burst', offers).values()).revision;

describe('the offers of a pool', () => {
  it('lend one site as much as the pool has, unless they name a maximum', () => {
    const offers = [anOffer(), anOffer({ resource: 'hfss_solve', maximum: 24 })];
    expect([...stockOffers('burst', offers).values()].map(({ maximum }) => maximum)).toEqual([64, 24]);
  });

  it.each<[string, PoolOffer[], string]>([
    ['a block of nothing', [anOffer({ block: 0 })], '[0].block'],
    ['a resource twice', [anOffer(), anOffer()], 'hfsshpc is offered twice'],
    ['a capacity below zero', [anOffer({ capacity: -1 })], '[0].capacity'],
    ['a term that does not exist', [{ ...anOffer(), minHold: 3 } as PoolOffer], 'minHold'],
  ])('are refused with %s', (_, offers, fault) => {
    const open = () => stockOffers('burst', offers);
    expect(open).toThrow(OffersInvalid);
    expect(open).toThrow(fault);
  });
});

describe('the description', () => {
  it('tells the terms, and not how much the pool has', () => {
    const { offers } = describeOffers('burst', stockOffers('burst', [anOffer({ maximum: 24 })]).values());
    const { capacity: _hidden, ...terms } = anOffer({ maximum: 24 });
    expect(offers).toEqual([terms]);
  });

  it('has the same revision for the same terms, however they were written down', () => {
    const { resource, ...terms } = anOffer({ leaseSeconds: 60 });
    expect(revisionOf({ ...terms, resource })).toBe(revisionOf({ resource, ...terms }));
  });

  it('has another revision for any other terms', () => {
    const others = [{ block: 4 }, { minimumHoldSeconds: 1 }, { partialReturns: false }, { leaseSeconds: 60 }];
    const revisions = [...others, { costPerTokenHour: 3 }, { maximum: 8 }, {}].map((terms) =>
      revisionOf(anOffer(terms)),
    );
    expect(new Set(revisions).size).toBe(7);
  });

  it('keeps its revision when only the capacity behind a maximum changes', () => {
    expect(revisionOf(anOffer({ capacity: 80, maximum: 8 }))).toBe(revisionOf(anOffer({ maximum: 8 })));
  });
});
