import { describe, expect, it } from 'vitest';
import { lend } from '../../shared/pool/lending.ts';
import { maxOpenGrants, type OpenGrant, type RefusedGrant, type Shelf } from '../../shared/pool/shelf.ts';
import { aClaim, aGrant, aShelf, start, stocked } from './support.ts';

function granted(answer: OpenGrant | RefusedGrant): OpenGrant {
  if (answer.state !== 'open') throw new Error(answer.reason);
  return answer;
}

function refused(answer: OpenGrant | RefusedGrant): RefusedGrant {
  if (answer.state === 'open') throw new Error(`lent ${answer.tokens}`);
  return answer;
}

const other = (tokens: number, grant: Partial<OpenGrant> = {}): OpenGrant =>
  aGrant({ id: `other-${tokens}`, site: 'austin', tokens, ...grant });

describe('lending', () => {
  it('lends what is asked for, and puts it on the shelf', () => {
    const { shelf, answer } = lend(aShelf(other(8)), stocked(), aClaim({ asked: 16 }), start);
    expect(granted(answer)).toMatchObject({ id: 'g-1', site: 'munich', asked: 16, tokens: 16, madeAt: start });
    expect(shelf.open.map(({ id }) => id)).toEqual(['other-8', 'g-1']);
  });

  it.each<[string, Shelf, number, number]>([
    ['what is free', aShelf(other(48)), 32, 16],
    ['what the site may still have', aShelf(aGrant({ id: 'mine', tokens: 8 })), 32, 16],
    ['whole blocks of what is asked for', aShelf(), 23, 16],
    ['whole blocks of what is free', aShelf(other(51, { terms: { ...aGrant().terms, block: 1 } })), 32, 8],
  ])('lends no more than %s', (_, shelf, asked, tokens) => {
    expect(granted(lend(shelf, stocked({ maximum: 24 }), aClaim({ asked }), start).answer).tokens).toBe(tokens);
  });

  it('writes the terms of today into the grant', () => {
    const offer = stocked({ minimumHoldSeconds: 600, leaseSeconds: 3_600 });
    const { terms, expiresAt } = granted(lend(aShelf(), offer, aClaim(), start).answer);
    expect(terms).toEqual({
      block: 8,
      minimumHoldSeconds: 600,
      partialReturns: true,
      leaseSeconds: 3_600,
      costPerTokenHour: 2,
    });
    expect(expiresAt).toBe(start + 3_600_000);
  });

  it('gives a grant no end where the offer has no lease', () => {
    expect(granted(lend(aShelf(), stocked(), aClaim(), start).answer)).not.toHaveProperty('expiresAt');
  });
});

describe('refusing', () => {
  const crowd = Array.from({ length: maxOpenGrants }, (_, n) => other(1, { id: `c-${n}` }));

  it.each<[string, Shelf, number, string]>([
    ['less than a block is asked for', aShelf(), 7, '7 tokens asked for, but tokens are lent in blocks of 8'],
    ['all are lent', aShelf(other(64)), 8, '0 of 64 tokens are free'],
    ['less than a block is free', aShelf(other(60)), 8, '4 of 64 tokens are free, and tokens are lent in blocks of 8'],
    [
      'the site has its maximum',
      aShelf(aGrant({ id: 'mine', tokens: 32 })),
      8,
      'site munich may have 0 more of its maximum of 32',
    ],
    ['more is lent than the capacity is now', aShelf(other(80)), 8, '0 of 64 tokens are free'],
    [
      'the site has more than its maximum is now',
      aShelf(aGrant({ id: 'mine', tokens: 40 })),
      8,
      'site munich may have 0 more',
    ],
  ])('says why when %s', (_, shelf, asked, reason) => {
    const step = lend(shelf, stocked({ maximum: 32 }), aClaim({ asked }), start);
    expect(refused(step.answer).reason).toContain(reason);
    expect(step.shelf.open).toEqual(shelf.open);
    expect(step.shelf.recent).toEqual([step.answer]);
  });

  it('says why when the shelf has as many grants as it can keep', () => {
    const { answer } = lend(aShelf(...crowd), stocked({ capacity: 10_000 }), aClaim(), start);
    expect(refused(answer).reason).toContain('at most 2000 open grants of hfsshpc');
  });

  it('lends the last grant that the shelf can keep', () => {
    const { shelf } = lend(aShelf(...crowd.slice(1)), stocked({ capacity: 10_000 }), aClaim(), start);
    expect(shelf.open).toHaveLength(maxOpenGrants);
  });

  it.each<[string, OpenGrant[], number]>([
    ['in a minute where no grant has an end', [other(64)], 60],
    [
      'when the next lease ends',
      [other(32, { expiresAt: start + 50_000 }), other(32, { expiresAt: start + 29_500 })],
      30,
    ],
    ['in a minute where the next lease ends later', [other(64, { expiresAt: start + 3_600_000 })], 60],
  ])('lets the site try again %s', (_, open, seconds) => {
    expect(refused(lend(aShelf(...open), stocked(), aClaim(), start).answer).retryAfterSeconds).toBe(seconds);
  });
});
