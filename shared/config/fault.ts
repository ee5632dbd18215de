/** Something in a file that a person must mend, and where. */
export interface Fault {
  readonly file: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** Such as `resources.hfsshpc.elastic.maxStep`; empty where the fault is in the file as a whole. */
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

/** Everything that is wrong with a file and the files that it names, in the order of file, line and column. */
export class FileFaults extends Error {
  override readonly name = 'FileFaults';
  readonly faults: readonly Fault[];

  /** `what` the file is, such as `site file`. */
  constructor(what: string, file: string, faults: readonly Fault[]) {
    const sorted = faults.toSorted(byPosition);
    super(`reading the ${what} ${file}: mend ${countOf(faults)}\n${sorted.map(formatFault).join('\n')}`);
    this.faults = sorted;
  }
}

export function formatFault({ file, line, column, path, found, expected }: Fault): string {
  return `${file}:${line}:${column}  ${path === '' ? '' : `${path}: `}found ${found}, expected ${expected}`;
}

export function countOf(faults: readonly Fault[]): string {
  return faults.length === 1 ? '1 fault' : `${faults.length} faults`;
}

function byPosition(a: Fault, b: Fault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
