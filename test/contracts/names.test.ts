import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifier, resourceName, siteName } from '../../shared/contracts/common.ts';

const names = { resourceName, siteName, identifier };

describe.each(Object.entries(names))('a %s', (_name, schema) => {
  it.each([
    ['nothing', ''],
    ['a path upwards', '../etc'],
    ['a folder', 'a/b'],
    ['a folder of Windows', 'a\\b'],
    ['the folder itself', '.'],
    ['the folder above', '..'],
    ['an escaped path', 'a%2Fb'],
    ['a separator of table keys', 'a#b'],
    ['a query', 'a?b'],
    ['a space', 'a b'],
    ['the end of a string in C', 'a\0'],
    ['a line end', 'a\n'],
    ['an escape sequence', '\u001B[2Ja'],
    ['a turn of direction', 'a\u202Eb'],
    ['a letter that is not seen', 'a\u200Bb'],
    ['a line end of Unicode', 'a\u2028'],
    ['a letter that looks like another', '\u0430ustin'],
    ['the prototype', '__proto__'],
    ['an option', '-rf'],
  ])('is not %s', (_what, text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });

  it('is made of letters, digits and a few marks of ASCII, whatever else is tried', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
        const plain = /^[A-Za-z0-9][A-Za-z0-9_.:@+-]*$/.test(text);
        expect(plain || !schema.safeParse(text).success).toBe(true);
      }),
    );
  });
});
