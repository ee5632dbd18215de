import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const requirements = readFileSync('docs/requirements.md', 'utf8');
const proofs = [...requirements.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}));

describe('the requirements', () => {
  it('each name a test', () => {
    const rows = requirements.split('\n').filter((line) => /^\| [A-Z]\d+ /.test(line));
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !row.includes('` “'))).toEqual([]);
  });

  it.each(proofs)('name a test that exists: $file “$title”', ({ file, title }) => {
    const titles = readFileSync(file, 'utf8').replaceAll("\\'", "'");
    expect(titles).toContain(title);
  });
});
