import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLicenceRequest } from '../../../onprem/slurm/licence-request.ts';

const one = (tokens: Record<string, number>) => [new Map(Object.entries(tokens))];

describe('the licences that a job asks for', () => {
  it.each([
    ['a', one({ a: 1 })],
    ['a@srv:2', one({ 'a@srv': 2 })],
    ['a:3,b:2', one({ a: 3, b: 2 })],
    ['a:3;b', one({ a: 3, b: 1 })],
    ['a:2,b,a:3', one({ a: 5, b: 1 })],
    ['a:0,b', one({ b: 1 })],
    ['a:0', one({})],
    ['', one({})],
    ['(null)', one({})],
    ['a:3|b:2', [...one({ a: 3 }), ...one({ b: 2 })]],
  ])('are read from %j', (text, request) => {
    expect(parseLicenceRequest(text)).toEqual(request);
  });

  it.each(['a:', 'a:-1', 'a:b', ':3', 'a b', 'a:1|b:x'])('are not guessed at: %j', (text) => {
    expect(parseLicenceRequest(text)).toBeUndefined();
  });

  it('survive being written in any way that Slurm accepts', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,8}(@[a-z0-9.]{1,6})?$/);
    const items = fc.array(fc.tuple(name, fc.integer({ min: 0, max: 4_000_000_000 }), fc.constantFrom(',', ';')));
    fc.assert(
      fc.property(items, (list) => {
        const sums = new Map<string, number>();
        for (const [licence, count] of list) if (count > 0) sums.set(licence, (sums.get(licence) ?? 0) + count);
        const text = list
          .map(([licence, count, end]) => `${count === 1 ? licence : `${licence}:${count}`}${end}`)
          .join('');
        expect(parseLicenceRequest(text)).toEqual([sums]);
      }),
    );
  });
});
