import { describe, expect, it } from 'vitest';
import { giveBack, maxReturnsRemembered } from '../../shared/pool/returning.ts';
import type { OpenGrant, Shelf } from '../../shared/pool/shelf.ts';
import { aGrant, aShelf, problemOf, start } from './support.ts';

const terms = aGrant().terms;

/** Gives back from the only grant of the shelf. */
function back(shelf: Shelf, tokens: number, returnId = 'r-1', seconds = 0) {
  const [grant] = shelf.open;
  if (grant === undefined) throw new Error('nothing is open');
  return giveBack(shelf, grant, { returnId, tokens }, start + seconds * 1000);
}

const problem = (grant: OpenGrant, tokens: number, seconds?: number) =>
  problemOf(() => back(aShelf(grant), tokens, 'r-1', seconds));

describe('giving back', () => {
  it('leaves the rest lent', () => {
    const { shelf, answer } = back(aShelf(aGrant({ tokens: 32 })), 8);
    expect(answer).toBe(24);
    expect(shelf.open).toMatchObject([{ id: 'g-1', tokens: 24 }]);
  });

  it('ends the grant with its last tokens', () => {
    const { shelf, answer } = back(aShelf(aGrant()), 16, 'r-1', 5);
    expect(answer).toBe(0);
    expect(shelf.open).toEqual([]);
    expect(shelf.recent).toMatchObject([{ id: 'g-1', state: 'ended', at: start + 5_000 }]);
  });

  it('is done once, however often the same return arrives', () => {
    const once = back(aShelf(aGrant({ tokens: 32 })), 8);
    const twice = back(once.shelf, 8);
    expect(twice.answer).toBe(24);
    expect(twice.shelf).toBe(once.shelf);
  });

  it('refuses a return id that was used for another number of tokens', async () => {
    const { shelf } = back(aShelf(aGrant({ tokens: 32 })), 8);
    expect((await problemOf(() => back(shelf, 16))).type).toBe('conflict');
  });

  it.each<[string, OpenGrant, number, string, string]>([
    ['more than is lent', aGrant(), 24, 'more-than-lent', 'only 16 are lent'],
    ['part of a block', aGrant(), 12, 'whole-blocks', 'in blocks of 8'],
    [
      'a part that the terms do not allow',
      aGrant({ terms: { ...terms, partialReturns: false } }),
      8,
      'no-partial-returns',
      'return all 16',
    ],
  ])('refuses %s', async (_, grant, tokens, type, detail) => {
    const { type: found, message } = await problem(grant, tokens);
    expect(found).toBe(type);
    expect(message).toContain(detail);
  });
});

describe('the minimum hold', () => {
  const held = aGrant({ terms: { ...terms, minimumHoldSeconds: 600 } });

  it('refuses a return before its end, with the seconds that remain', async () => {
    const { type, retryAfterSeconds, message } = await problem(held, 16, 200.5);
    expect([type, retryAfterSeconds]).toEqual(['minimum-hold', 400]);
    expect(message).toContain('its minimum hold is not over for another 6 min');
  });

  it('lets go at its very end', () => {
    expect(back(aShelf(held), 16, 'r-1', 600).answer).toBe(0);
  });

  it('does not keep a grant that the operator wants back', () => {
    expect(back(aShelf({ ...held, recall: {} }), 16).answer).toBe(0);
  });
});

describe('what is remembered of returns', () => {
  it('is the newest, however old, and those of the last ten minutes', () => {
    const { shelf: one } = back(aShelf(aGrant({ tokens: 64 })), 8, 'r-1', 0);
    const { shelf: two } = back(one, 8, 'r-2', 300);
    expect(back(two, 8, 'r-1', 2_000).shelf).toBe(two);
    const { shelf: three } = back(two, 8, 'r-3', 899);
    expect(three.open[0]?.returns.map(({ returnId }) => returnId)).toEqual(['r-2', 'r-3']);
  });

  it('is bounded: one part too many within ten minutes has to wait, all the rest at once has not', async () => {
    let shelf = aShelf(aGrant({ tokens: 8 * (maxReturnsRemembered + 2) }));
    for (let n = 0; n < maxReturnsRemembered; n++) shelf = back(shelf, 8, `r-${n}`, n).shelf;
    const { type, retryAfterSeconds } = await problemOf(() => back(shelf, 8, 'r-next', 100));
    expect([type, retryAfterSeconds]).toEqual(['too-many-returns', 500]);
    expect(back(shelf, 8, 'r-next', 600).answer).toBe(8);
    expect(back(shelf, 16, 'r-next', 100).answer).toBe(0);
  });
});
