import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../shared/domain/', import.meta.url));

const impure =
  /\b(?:Date|Math\.random|setTimeout|setInterval|setImmediate|queueMicrotask|process|fetch|console|crypto|performance|globalThis|require|await|async|Intl|toLocale\w*)\b/;
const imports = /\b(?:from|import)\s*\(?\s*(['"])(.*?)\1/g;

/** The source without comments and without the contents of quotes, in which words may stand freely. */
function codeOf(source: string): string {
  return source
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
    .replaceAll(/`(?:\\.|[^`\\])*`/g, (template) => (template.match(/\$\{[^}]*\}/g) ?? []).join(' '));
}

/** What in a source file reaches beyond the core. */
function reachesOut(source: string): string[] {
  const foreign = [...source.matchAll(imports)].flatMap(([, , path = '']) =>
    /^\.\/[\w-]+\.ts$/.test(path) ? [] : [path],
  );
  const found = impure.exec(codeOf(source));
  return found === null ? foreign : [...foreign, found[0]];
}

describe('the pure core', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });

  it('consists of TypeScript files in one folder', () => {
    expect(files).toContain('decide.ts');
    expect(files.filter((file) => !/^[\w-]+\.ts$/.test(file))).toEqual([]);
  });

  it.each(files)('%s reaches for nothing outside it: no clock, no chance, no input or output', (file) => {
    expect(reachesOut(readFileSync(folder + file, 'utf8'))).toEqual([]);
  });

  it.each([
    ["import { readFileSync } from 'node:fs';", 'node:fs'],
    ["import type { Clock } from '../ports.ts';", '../ports.ts'],
    ["export * from '../../cli/esr.ts';", '../../cli/esr.ts'],
    ["import 'zod';", 'zod'],
    ["const module = import('./../ports.ts');", './../ports.ts'],
    ['const now = Date.now();', 'Date'],
    ['const id = `g${Math.random()}`;', 'Math.random'],
    ['setTimeout(() => undefined, 1);', 'setTimeout'],
    ['if (process.env.X) fetch(url);', 'process'],
    ["console.log('x');", 'console'],
  ])('this test sees %s', (source, found) => {
    expect(reachesOut(source)).toContain(found);
  });

  it('this test lets comments and texts speak freely', () => {
    expect(
      reachesOut("/** No `Date` here. */ const reason = 'the process'; // console\nconst t = `await ${reason}`;"),
    ).toEqual([]);
  });
});
