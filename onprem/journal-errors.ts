/** A change could not be kept, so it has not been made. */
export class JournalWriteError extends Error {
  override readonly name = 'JournalWriteError';
  readonly path: string;
  /** There is no room, as opposed to a disk that fails. */
  readonly isFull: boolean;

  constructor(path: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
    const mend = isFull ? 'make room there' : 'check the disk and the rights on it';
    super(`writing to the journal ${path}: ${code}; ${mend}`, { cause });
    this.path = path;
    this.isFull = isFull;
  }
}

/** A line is not as it was written, which no crash explains. */
export class JournalDamagedError extends Error {
  override readonly name = 'JournalDamagedError';
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;

  constructor(path: string, line: number) {
    super(
      `reading the journal ${path}: line ${line} is damaged; check the disk, then restore the file from a copy or ` +
        'move it away to begin anew',
    );
    this.path = path;
    this.line = line;
  }
}
