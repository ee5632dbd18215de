import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonLog } from '../../shared/adapters/json-log.ts';

function lineOf(message: string, fields: Record<string, unknown>): string {
  const lines: string[] = [];
  new JsonLog((line) => lines.push(line)).warn(message, fields);
  expect(lines).toHaveLength(1);
  return lines.join('\n');
}

it('is one line of JSON that says what was logged, with nothing in it that a terminal obeys or hides', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (message, error) => {
      const line = lineOf(message, { error });
      expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(JSON.parse(line)).toEqual({ level: 'WARN', message, error });
    }),
  );
});

it.each([
  ['a line of its own', 'hfsshpc\n{"level":"ALARM","message":"forged"}', String.raw`hfsshpc\n{\"level`],
  ['a line end of Unicode', 'a\u2028b\u0085c', String.raw`a\u2028b\u0085c`],
  ['the order of its letters turned about', 'a\u202Eb', String.raw`a\u202eb`],
  ['letters that are not seen', 'a\u200B\u{E0041}b', String.raw`a\u200b\udb40\udc41b`],
  ['an escape sequence', '\u001B[2J\u009B2J', String.raw`\u001b[2J\u009b2J`],
])('takes a name for no more than a name that holds %s', (_what, name, written) => {
  expect(lineOf('refused a call', { name })).toContain(written);
});
