import { describe, expect, it } from 'vitest';
import { expire, forestall, parting, recall, renew } from '../../shared/pool/rules.ts';
import { maxRecentGrants, recentSeconds, type EndedGrant } from '../../shared/pool/shelf.ts';
import { aClaim, aGrant, aShelf, problemOf, resource, start } from './support.ts';

const leased = aGrant({ terms: { ...aGrant().terms, leaseSeconds: 600 }, expiresAt: start + 600_000 });
const ended = (id: string, seconds: number): EndedGrant => ({
  state: 'ended',
  id,
  site: 'munich',
  resource,
  asked: 16,
  at: start + seconds * 1000,
});

describe('a lease that runs out', () => {
  it('ends its grant, at the time at which it ran out', () => {
    const shelf = expire(aShelf(aGrant({ id: 'g-2' }), leased), start + 700_000);
    expect(shelf.open.map(({ id }) => id)).toEqual(['g-2']);
    expect(shelf.recent).toEqual([ended('g-1', 600)]);
  });

  it('changes nothing a moment before', () => {
    const shelf = aShelf(leased);
    expect(expire(shelf, start + 599_999)).toBe(shelf);
  });
});

describe('renewing', () => {
  it('makes the lease last its full length from now', () => {
    const { shelf, answer } = renew(aShelf(leased), leased, start + 100_000);
    expect(answer).toBe(600);
    expect(shelf.open[0]?.expiresAt).toBe(start + 700_000);
  });

  it('never makes it shorter, even when the clock was set back', () => {
    const { shelf, answer } = renew(aShelf(leased), leased, start - 50_000);
    expect(answer).toBe(650);
    expect(shelf.open[0]?.expiresAt).toBe(leased.expiresAt);
  });

  it('goes no further than the time by which the operator wants the grant back, and then no more', async () => {
    const wanted = { ...leased, recall: { by: start + 650_000 } };
    const { shelf, answer } = renew(aShelf(wanted), wanted, start + 100_000);
    expect(answer).toBe(550);
    const [last = wanted] = shelf.open;
    expect((await problemOf(() => renew(shelf, last, start + 200_000))).type).toBe('recalled');
  });

  it('goes on where the operator named no time', () => {
    const wanted = { ...leased, recall: {} };
    expect(renew(aShelf(wanted), wanted, start + 100_000).answer).toBe(600);
  });

  it('is refused for a grant that has no end', async () => {
    expect((await problemOf(() => renew(aShelf(aGrant()), aGrant(), start))).type).toBe('no-lease');
  });
});

describe('recalling', () => {
  it('notes by when, and leaves the tokens lent', () => {
    const { shelf } = recall(aShelf(aGrant()), aGrant(), 90, start);
    expect(shelf.open).toEqual([aGrant({ recall: { by: start + 90_000 } })]);
  });

  it('needs no time', () => {
    expect(recall(aShelf(aGrant()), aGrant(), undefined, start).answer.recall).toEqual({});
  });
});

describe('forestalling', () => {
  it('closes the id and lends nothing', () => {
    const { shelf, answer } = forestall(aShelf(), aClaim(), start);
    expect(answer).toBe(0);
    expect(shelf).toMatchObject({ open: [], recent: [ended('g-1', 0)] });
  });
});

describe('what leaves a shelf', () => {
  it('is closed grants older than ten minutes', () => {
    const shelf = { ...aShelf(aGrant({ id: 'open' })), recent: [ended('old', 0), ended('young', 1)] };
    const { shelf: next, leaving } = parting(shelf, start + recentSeconds * 1000);
    expect(leaving).toEqual([ended('old', 0)]);
    expect(next).toEqual({ ...shelf, recent: [ended('young', 1)] });
  });

  it('is the oldest where there are too many', () => {
    const recent = Array.from({ length: maxRecentGrants + 2 }, (_, n) => ended(`g-${n}`, n));
    const { shelf, leaving } = parting({ ...aShelf(), recent }, start);
    expect(leaving.map(({ id }) => id)).toEqual(['g-0', 'g-1']);
    expect(shelf.recent).toHaveLength(maxRecentGrants);
  });

  it('is nothing as a rule', () => {
    const shelf = { ...aShelf(), recent: [ended('young', 0)] };
    expect(parting(shelf, start)).toEqual({ shelf, leaving: [] });
  });
});
