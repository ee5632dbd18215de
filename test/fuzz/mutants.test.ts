import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PatchDoesNotFit, patched } from '../../fuzz/bundle.ts';
import { mutants } from '../../fuzz/mutants.ts';

describe('a mutant', () => {
  it.each(mutants)('fits the code as it is now: $name', async ({ patches }) => {
    for (const patch of patches) {
      const text = await readFile(new URL(`../../${patch.file}`, import.meta.url), 'utf8');
      expect(patched(text, patch)).not.toBe(text);
    }
  });

  it('is refused where its words are gone, or are there twice', () => {
    const patch = { file: 'rules.ts', find: 'a < b', replace: 'a <= b' };
    expect(() => patched('a > b', patch)).toThrow(PatchDoesNotFit);
    expect(() => patched('a < b && a < b', patch)).toThrow(PatchDoesNotFit);
  });
});
