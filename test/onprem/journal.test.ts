import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournalDamagedError } from '../../onprem/journal-errors.ts';
import { Journal } from '../../onprem/journal.ts';

interface State {
  readonly upTo: number;
}

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(directory, 'journal.jsonl');
});

afterEach(() => rmSync(directory, { recursive: true }));

function open() {
  return Journal.open<State, string>(directory);
}

function write(...changes: string[]): void {
  const { journal } = open();
  for (const change of changes) journal.append(change);
  journal.close();
}

function read() {
  const { journal, saved, cutBytes } = open();
  journal.close();
  return { ...saved, cutBytes };
}

describe('the journal', () => {
  it('begins empty, in a directory that it makes', () => {
    const { journal, saved, cutBytes } = Journal.open(join(directory, 'new', 'one'));
    journal.close();

    expect({ saved, cutBytes }).toEqual({ saved: { state: undefined, changes: [] }, cutBytes: 0 });
  });

  it('gives back all changes in order, whatever text is in them', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (changes) => {
        rmSync(path, { force: true });
        write(...changes);
        expect(read()).toEqual({ state: undefined, changes, cutBytes: 0 });
      }),
      { numRuns: 30 },
    );
  });

  it('goes on after it has been opened again', () => {
    write('a');
    write('b');

    expect(read().changes).toEqual(['a', 'b']);
  });

  it('cuts off a last line that was not finished, wherever it was torn, and goes on', () => {
    write('a', 'b');
    const whole = readFileSync(path);
    const [firstLine = ''] = whole.toString().split('\n');
    for (let length = firstLine.length + 2; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      expect(read()).toEqual({ state: undefined, changes: ['a'], cutBytes: length - firstLine.length - 1 });
      write('c');
      expect(read()).toEqual({ state: undefined, changes: ['a', 'c'], cutBytes: 0 });
    }
  });

  it('cuts off a last line of which a crash has left zeros', () => {
    write('a');
    appendFileSync(path, '\0'.repeat(100));

    expect(read()).toEqual({ state: undefined, changes: ['a'], cutBytes: 100 });
  });

  it('does not open when an earlier line is damaged', () => {
    write('a', 'b', 'c');
    const bytes = readFileSync(path);
    bytes.write('X', bytes.indexOf('"b"') + 1);
    writeFileSync(path, bytes);

    expect(open).toThrow(JournalDamagedError);
    expect(open).toThrow('line 2 is damaged');
    expect(readFileSync(path)).toEqual(bytes);
  });

  it('has the state alone after a compaction, then the changes since', () => {
    const { journal } = open();
    journal.append('a');
    journal.compact({ upTo: 1 });
    journal.append('b');
    journal.close();

    expect(read()).toEqual({ state: { upTo: 1 }, changes: ['b'], cutBytes: 0 });
  });

  it('is due for compaction when the changes take much more room than the state', () => {
    const { journal } = open();
    const large = 'x'.repeat(300_000);
    for (const isDue of [false, false, false, true]) {
      journal.append(large);
      expect(journal.isCompactionDue).toBe(isDue);
    }
    journal.compact({ upTo: 4 });
    expect(journal.isCompactionDue).toBe(false);
    journal.close();
  });

  it('is not disturbed by a compaction that a crash interrupted', () => {
    write('a');
    writeFileSync(`${path}.new`, 'half a sta');
    const { journal } = open();
    journal.compact({ upTo: 1 });
    journal.close();

    expect(read()).toEqual({ state: { upTo: 1 }, changes: [], cutBytes: 0 });
  });
});
