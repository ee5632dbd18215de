import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrokenTraceError, openTrace, UnknownTraceError, UnreadableTraceError } from '../../shared/traces/open.ts';
import { utc } from './support.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'esr-trace-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function fileOf(content: string): Promise<string> {
  const path = join(folder, 'trace');
  await writeFile(path, content);
  return path;
}

const line = (submit: string, user: string) => JSON.stringify({ submit, needs: { a: 1 }, runSeconds: 60, user });

describe('opening a trace', () => {
  it('knows JSON lines by their brace, and sorts jobs by submit, those of one submit in their order', async () => {
    const path = await fileOf(
      [
        '',
        line('2026-01-05T10:00:00Z', 'b'),
        line('2026-01-05T10:00:00Z', 'a'),
        line('2026-01-05T09:00:00Z', 'c'),
      ].join('\n'),
    );
    const { jobs, events, report } = await openTrace(path);
    expect(jobs.map(({ user }) => user)).toEqual(['c', 'b', 'a']);
    expect(events).toBeUndefined();
    expect(report).toEqual({ format: 'json-lines', jobs: 3 });
  });

  it('reads a file that begins with a byte order mark', async () => {
    const path = await fileOf('\uFEFF{"submit":"2026-01-05T09:30:00Z","needs":{"hfss_solve":1},"runSeconds":60}\n');
    expect((await openTrace(path)).jobs).toHaveLength(1);
  });

  it('knows a FlexNet debug log by its times and daemons, also after other lines and with CR LF', async () => {
    const path = await fileOf(
      [
        'License server log',
        '9:00:00 (lmgrd) TIMESTAMP 1/8/2017',
        '9:30:00 (d) OUT: "a" u@h',
        '9:31:00 (d) IN: "a" u@h',
        '',
      ].join('\r\n'),
    );
    const { jobs, events, report } = await openTrace(path);
    expect(jobs).toEqual([{ submit: utc('2017-01-08T09:30:00Z'), needs: { a: 1 }, runSeconds: 60, user: 'u@h' }]);
    expect(events).toHaveLength(2);
    expect(report).toMatchObject({ format: 'flexnet', jobs: 1, lines: 4, linesNotUnderstood: 1 });
  });

  it.each([
    ['an empty file', '', 'it is empty'],
    ['a file of blank lines', '\n \n', 'it is empty'],
    ['any other file', 'hello\n', 'it is of no known format'],
    ['a file in UTF-16', '\uFFFD\uFFFD{\0"\0', 'it is no text in UTF-8 (compressed, or UTF-16?)'],
    [
      'a file that takes more than a thousand lines to begin',
      `${'x\n'.repeat(1_001)}9:00:00 (lmgrd) TIMESTAMP 1/8/2017\n`,
      'it is of no known format',
    ],
  ])('refuses %s and says what would do', async (_, content, found) => {
    const path = await fileOf(content);
    const opened = openTrace(path);
    await expect(opened).rejects.toThrow(UnknownTraceError);
    await expect(opened).rejects.toThrow(`reading trace ${path}: ${found}; give JSON lines`);
  });

  it('names every broken line of JSON lines', async () => {
    const path = await fileOf([line('2026-01-05T10:00:00Z', 'a'), '{', '{}'].join('\n'));
    await expect(openTrace(path)).rejects.toMatchObject({
      file: path,
      brokenLines: 2,
      faults: [{ line: 2 }, { line: 3 }],
    });
  });

  it('names the first 20 broken lines and counts the others', async () => {
    const path = await fileOf('{\n'.repeat(25));
    const opened = openTrace(path);
    await expect(opened).rejects.toThrow(BrokenTraceError);
    await expect(opened).rejects.toThrow(
      /^reading trace .*: 25 lines hold no job\n(reading trace .*\n){20}and 5 more$/,
    );
  });

  it.each(['missing', '.'])('names a file that cannot be read: %s', async (name) => {
    await expect(openTrace(join(folder, name))).rejects.toThrow(UnreadableTraceError);
  });
});
