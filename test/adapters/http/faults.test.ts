import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeFaults, printable } from '../../../shared/adapters/http/faults.ts';

function faultsOf(schema: z.ZodType, input: unknown): string[] {
  const { error } = schema.safeParse(input);
  if (error === undefined) throw new Error('the input has no fault');
  return describeFaults(error, input);
}

describe('a fault', () => {
  it('names the path and what was found there', () => {
    const schema = z.object({ a: z.array(z.object({ b: z.number() })) });
    const find = (found: unknown) => faultsOf(schema, { a: [{ b: found }] })[0];
    expect(find('x')).toMatch(/^a\[0\]\.b: .*expected number.*, found "x"$/);
    expect(find(null)).toMatch(/, found null$/);
    expect(find(undefined)).toMatch(/, found nothing$/);
    expect(find([1, 2])).toMatch(/, found a list of 2$/);
    expect(find({ secret: 1 })).toMatch(/, found an object$/);
    expect(faultsOf(schema, 7)[0]).toMatch(/^body: .*, found 7$/);
  });

  it('never shows more than 80 characters of a value, nor of a name', () => {
    const long = 'x'.repeat(1_000);
    expect(faultsOf(z.object({ a: z.number() }), { a: long })[0]).toMatch(/found "x{79}…$/);
    const [fault] = faultsOf(z.record(z.string(), z.number()), { [long]: 'y' });
    expect(fault).toMatch(/^x{80}…: /);
  });

  it('is one of at most ten that are named, the rest counted', () => {
    const faults = faultsOf(
      z.array(z.number()),
      Array.from({ length: 10_000 }, () => 'x'),
    );
    expect(faults).toHaveLength(11);
    expect(faults[10]).toBe('and 9990 more');
  });

  it('does not look into prototypes for what was found', () => {
    expect(faultsOf(z.object({ toString: z.number() }), {})[0]).toMatch(/found nothing$/);
  });
});

describe('printable text', () => {
  it('has nothing that a terminal or a log reader obeys', () => {
    expect(printable('a\u001B[31m\r\n\u0085\u2028\u202E')).toBe(
      String.raw`a\u{1b}[31m\u{d}\u{a}\u{85}\u{2028}\u{202e}`,
    );
  });

  it('keeps letters of every script', () => {
    expect(printable('Größe 容量 🙂')).toBe('Größe 容量 🙂');
  });
});
