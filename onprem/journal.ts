import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { JournalWriteError } from './journal-errors.ts';
import { encodeLine, readLines } from './journal-lines.ts';
import type { Saved } from './state.ts';

/** A compaction is due when the changes take more room than this and than the state. */
const leastCompactionBytes = 1024 * 1024;

/**
 * Durable state as one append-only file: a state on the first line (none before the first compaction), then one change
 * a line. What `append` has taken survives a crash at any instant. Calls block, so that what is written and what is in
 * memory cannot come apart. One process at a time may have it open.
 */
export class Journal<S, C> {
  readonly #directory: string;
  readonly #path: string;
  #file: number;
  #length: number;
  #compactionAt: number;
  /** What an earlier failure left to be done before anything may be appended. */
  #mend: (() => void) | undefined;

  private constructor(directory: string, file: number, length: number, stateLength: number) {
    this.#directory = directory;
    this.#path = pathIn(directory);
    this.#file = file;
    this.#length = length;
    this.#compactionAt = compactionAt(stateLength);
  }

  /**
   * Reads what was kept. A last line that a crash left unfinished is cut off; `cutBytes` says how much that was.
   * Throws `JournalDamagedError` when another line is not as it was written.
   */
  static open<S, C>(directory: string): { journal: Journal<S, C>; saved: Saved<S, C>; cutBytes: number } {
    if (mkdirSync(directory, { recursive: true }) !== undefined) syncDirectory(dirname(directory));
    // Read before it is opened for writing, so that a damaged journal leaves no open file behind.
    const bytes = existsSync(pathIn(directory)) ? readFileSync(pathIn(directory)) : Buffer.alloc(0);
    const { lines, length } = readLines(bytes, pathIn(directory));
    const file = openSync(pathIn(directory), 'a');
    ftruncateSync(file, length);
    fsyncSync(file);
    syncDirectory(directory);

    let state: S | undefined;
    let stateLength = 0;
    const changes: C[] = [];
    for (const line of lines) {
      // The checksum says that the line is ours, so its form is known.
      const entry: { readonly state: S } | { readonly change: C } = JSON.parse(line);
      if ('change' in entry) {
        changes.push(entry.change);
      } else {
        state = entry.state;
        stateLength = line.length;
      }
    }
    const journal = new Journal<S, C>(directory, file, length, stateLength);
    return { journal, saved: { state, changes }, cutBytes: bytes.length - length };
  }

  /** Returns when the change is on the disk. Throws `JournalWriteError`; the journal is then as it was. */
  append(change: C): void {
    const line = encodeLine({ change });
    try {
      this.#mendNow();
      this.#mend = () => ftruncateSync(this.#file, this.#length);
      writeFileSync(this.#file, line);
      fdatasyncSync(this.#file);
    } catch (cause) {
      this.#tryToMend();
      throw new JournalWriteError(this.#path, cause);
    }
    this.#mend = undefined;
    this.#length += line.length;
  }

  get isCompactionDue(): boolean {
    return this.#length > this.#compactionAt;
  }

  /** Puts `state` in place of all that was kept. Throws `JournalWriteError`; everything is then still kept. */
  compact(state: S): void {
    const line = encodeLine({ state });
    const temporaryPath = `${this.#path}.new`;
    try {
      rmSync(temporaryPath, { force: true });
      const file = openSync(temporaryPath, 'ax');
      try {
        writeFileSync(file, line);
        fsyncSync(file);
        renameSync(temporaryPath, this.#path);
      } catch (error) {
        closeSync(file);
        rmSync(temporaryPath, { force: true });
        throw error;
      }
      closeSync(this.#file);
      this.#file = file;
      this.#length = line.length;
      this.#compactionAt = compactionAt(line.length);
      this.#mend = () => syncDirectory(this.#directory);
      this.#mendNow();
    } catch (cause) {
      // Not at every append again, as it costs a write of the whole state.
      this.#compactionAt = this.#length + compactionAt(line.length);
      throw new JournalWriteError(this.#path, cause);
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #mendNow(): void {
    this.#mend?.();
    this.#mend = undefined;
  }

  #tryToMend(): void {
    try {
      this.#mendNow();
    } catch {
      // The next append tries again and reports it.
    }
  }
}

function pathIn(directory: string): string {
  return join(directory, 'journal.jsonl');
}

function compactionAt(stateLength: number): number {
  return stateLength + Math.max(stateLength, leastCompactionBytes);
}

/** A new or renamed file is only found again after a crash once its directory has been written. */
function syncDirectory(directory: string): void {
  // Windows opens no directories.
  if (process.platform === 'win32') return;
  const file = openSync(directory, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
