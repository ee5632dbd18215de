import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readFlexnetLog } from './flexnet.ts';
import { parseLogLine } from './flexnet/line.ts';
import { readJobs, type TraceJob, type TraceLineError } from './job.ts';
import type { LicenceEvent } from './licence-event.ts';
import type { TraceReport } from './report.ts';

export interface Trace {
  /** Sorted by submit; of the same submit, in the order of the file. */
  readonly jobs: TraceJob[];
  readonly report: TraceReport;
  /** What a log itself tells of; JSON lines tell of jobs alone. */
  readonly events?: LicenceEvent[];
}

/** The file is not there, or it cannot be read. */
export class UnreadableTraceError extends Error {
  override readonly name = 'UnreadableTraceError';
  readonly file: string;

  constructor(file: string, cause: Error) {
    super(`reading trace ${file}: ${cause.message}; check the path, and that this user may read it`, { cause });
    this.file = file;
  }
}

/** What a file holds is no trace that is known. */
export class UnknownTraceError extends Error {
  override readonly name = 'UnknownTraceError';
  readonly file: string;

  constructor(file: string, found: string) {
    super(
      `reading trace ${file}: ${found}; give JSON lines, each like {"submit":"2026-01-05T09:30:00Z","needs":{"hfss_solve":1},` +
        '"runSeconds":5400}, or a FlexNet debug log, with lines like 9:30:00 (daemon) OUT: "hfss_solve" user@host',
    );
    this.file = file;
  }
}

/** Some lines of a JSON-lines trace hold no job. */
export class BrokenTraceError extends Error {
  override readonly name = 'BrokenTraceError';
  readonly file: string;
  /** The first 20. */
  readonly faults: readonly TraceLineError[];
  readonly brokenLines: number;

  constructor(file: string, faults: readonly TraceLineError[], brokenLines: number) {
    const more = brokenLines > faults.length ? [`and ${brokenLines - faults.length} more`] : [];
    const lines = brokenLines === 1 ? '1 line holds' : `${brokenLines} lines hold`;
    super([`reading trace ${file}: ${lines} no job`, ...faults.map((fault) => fault.message), ...more].join('\n'));
    this.file = file;
    this.faults = faults;
    this.brokenLines = brokenLines;
  }
}

const mostFaultsKept = 20;
/** A log may begin with lines of other programs; nothing that is one has more of them than this. */
const linesToTellFormat = 1_000;

/**
 * Reads a trace from a file, or from standard input where the path is `-`, and tells its format by its content.
 * @throws {UnreadableTraceError}
 * @throws {UnknownTraceError} when it is empty or of no known format
 * @throws {BrokenTraceError} when lines of a JSON-lines trace are broken
 */
export async function openTrace(path: string): Promise<Trace> {
  const file = path === '-' ? 'standard input' : path;
  const input = path === '-' ? process.stdin.setEncoding('utf8') : createReadStream(path, 'utf8');
  try {
    return await readTrace(createInterface({ input, crlfDelay: Infinity }), file);
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? new UnreadableTraceError(file, error) : error;
  }
}

async function readTrace(source: AsyncIterable<string>, file: string): Promise<Trace> {
  const lines = source[Symbol.asyncIterator]();
  const head: string[] = [];
  let format: TraceReport['format'] | undefined;
  while (format === undefined && head.length < linesToTellFormat) {
    const next = await lines.next();
    if (next.done === true) break;
    // Some editors begin a file with a byte order mark.
    const line = head.length === 0 ? next.value.replace(/^\uFEFF/, '') : next.value;
    head.push(line);
    format = formatOf(line);
  }
  const all = chain(head, lines);
  if (format === 'json-lines') return readJsonLines(all, file);
  if (format === 'flexnet') {
    const { jobs, events, report } = await readFlexnetLog(all);
    return { jobs, events, report: { format, jobs: jobs.length, ...report } };
  }
  await lines.return?.();
  throw new UnknownTraceError(file, foundInstead(head));
}

function foundInstead(head: readonly string[]): string {
  if (head.every((line) => line.trim() === '')) return 'it is empty';
  const decoded = !head.some((line) => line.includes('\uFFFD') || line.includes('\0'));
  return decoded ? 'it is of no known format' : 'it is no text in UTF-8 (compressed, or UTF-16?)';
}

function formatOf(line: string): TraceReport['format'] | undefined {
  if (line.trimStart().startsWith('{')) return 'json-lines';
  return parseLogLine(line) === undefined ? undefined : 'flexnet';
}

async function* chain(head: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield* head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function readJsonLines(lines: AsyncIterable<string>, file: string): Promise<Trace> {
  const faults: TraceLineError[] = [];
  let brokenLines = 0;
  const onFault = (fault: TraceLineError) => {
    brokenLines += 1;
    if (faults.length < mostFaultsKept) faults.push(fault);
  };
  const jobs: TraceJob[] = [];
  for await (const job of readJobs(lines, { file, onFault })) jobs.push(job);
  if (brokenLines > 0) throw new BrokenTraceError(file, faults, brokenLines);
  jobs.sort((one, other) => one.submit - other.submit);
  return { jobs, report: { format: 'json-lines', jobs: jobs.length } };
}
