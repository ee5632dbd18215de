/**
 * A trace is demand over time as a list of jobs. Its file form is JSON lines, one job a line:
 *
 *     {"submit":"2026-01-05T09:30:00.000Z","needs":{"hfss_solve":1,"hfsshpc":32},"runSeconds":5400,"user":"user1@host1"}
 */
import * as z from 'zod';
import { isoTime, resourceName, seconds, tokens } from '../contracts/common.ts';
import type { Instant, Tokens } from '../domain/model.ts';

/** One job as it was asked for: whether and when it started is for the cluster (or its simulation) to say. */
export interface TraceJob {
  readonly submit: Instant;
  /** Tokens that the job holds, all of them together, from its start to its end; at least one is above 0. */
  readonly needs: Readonly<Record<string, Tokens>>;
  /** From start to end. 0 is a run shorter than the source could tell. */
  readonly runSeconds: number;
  readonly user?: string;
}

const jobLine = z.strictObject({
  submit: isoTime,
  needs: z.record(resourceName, tokens).refine((needs) => Object.values(needs).some((count) => count > 0)),
  runSeconds: seconds,
  user: z
    .string()
    .regex(/^\S(.{0,254}\S)?$/)
    .optional(),
});

/** What a line must be, by the field that is wrong in it. */
const expectations = new Map<PropertyKey | undefined, string>([
  [undefined, 'one JSON object with the fields submit, needs, runSeconds and, if you like, user'],
  ['submit', 'submit: a time as in RFC 3339'],
  ['needs', 'needs: whole numbers of tokens by name of resource, at least one above 0'],
  ['runSeconds', 'runSeconds: a number of seconds, at least 0 and at most ten years'],
  ['user', 'user: one line of 1 to 256 characters without space around it'],
]);

/** A line that holds no job. */
export class TraceLineError extends Error {
  override readonly name = 'TraceLineError';
  readonly file: string | undefined;
  /** Counted from 1, blank lines included. */
  readonly line: number;
  readonly found: string;
  readonly expected: string;

  constructor(fault: { file?: string; line: number; found: string; expected: string }) {
    const place = fault.file === undefined ? `line ${fault.line}` : `${fault.file} line ${fault.line}`;
    super(`reading trace ${place}: found ${fault.found}; expected ${fault.expected}`);
    this.file = fault.file;
    this.line = fault.line;
    this.found = fault.found;
    this.expected = fault.expected;
  }
}

/** Where a line stands, for the error that it may lead to. */
export interface LinePosition {
  readonly line: number;
  readonly file?: string;
}

/** @throws {TraceLineError} */
export function parseJobLine(text: string, position: LinePosition): TraceJob {
  const parsed = jobLine.safeParse(jsonOrUndefined(text));
  if (!parsed.success) {
    const expected = new Set(parsed.error.issues.map(({ path }) => expectations.get(path[0])));
    throw new TraceLineError({ ...position, found: excerpt(text), expected: [...expected].join('; ') });
  }
  const { submit, needs, runSeconds, user } = parsed.data;
  return { submit: Date.parse(submit), needs, runSeconds, ...(user === undefined ? {} : { user }) };
}

export interface ReadJobsOptions {
  /** Named in errors. */
  readonly file?: string;
  /** Takes each broken line, and reading goes on. Without it the first one is thrown. */
  readonly onFault?: (fault: TraceLineError) => void;
}

/**
 * The jobs of a JSON-lines trace in the order of the file; blank lines are passed over.
 * @throws {TraceLineError} at the first broken line, unless `onFault` takes it
 */
export async function* readJobs(lines: AsyncIterable<string>, options: ReadJobsOptions = {}): AsyncGenerator<TraceJob> {
  const { file, onFault } = options;
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    let job: TraceJob;
    try {
      job = parseJobLine(text, { line, ...(file === undefined ? {} : { file }) });
    } catch (error) {
      if (onFault === undefined || !(error instanceof TraceLineError)) throw error;
      onFault(error);
      continue;
    }
    yield job;
  }
}

/** The jobs as JSON lines, each with its line end. `readJobs` gives the same jobs back. */
export function* writeJobs(jobs: Iterable<TraceJob>): Generator<string> {
  for (const { submit, needs, runSeconds, user } of jobs) {
    yield `${JSON.stringify({ submit: new Date(submit).toISOString(), needs, runSeconds, user })}\n`;
  }
}

function excerpt(text: string): string {
  const line = text.trim();
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
