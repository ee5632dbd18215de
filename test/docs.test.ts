import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe.each([
  ['requirements', 30],
  ['security', 30],
])('docs/%s.md', (name, leastRows) => {
  const text = readFileSync(`docs/${name}.md`, 'utf8');
  const proofs = [...text.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({ file, title }));

  it('names a test in each row', () => {
    const rows = text.split('\n').filter((line) => /^\| [A-Z]\d+ /.test(line));
    expect(rows.length).toBeGreaterThan(leastRows);
    expect(rows.filter((row) => !row.includes('` “'))).toEqual([]);
  });

  it.each(proofs)('names a test that exists: $file “$title”', ({ file, title }) => {
    const titles = readFileSync(file, 'utf8').replaceAll("\\'", "'");
    expect(titles.includes(title)).toBe(true);
  });
});
