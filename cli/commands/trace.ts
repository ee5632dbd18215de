import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import Table from 'cli-table3';
import { InvalidArgumentError, Option, type Command } from 'commander';
import * as z from 'zod';
import { isoTime, positiveTokens, resourceName } from '../../shared/contracts/common.ts';
import type { Instant, Tokens } from '../../shared/domain/model.ts';
import { writeFlexnetLog } from '../../shared/traces/flexnet.ts';
import { generateTrace } from '../../shared/traces/generate.ts';
import { writeJobs } from '../../shared/traces/job.ts';
import { eventsOf } from '../../shared/traces/licence-event.ts';
import { openTrace } from '../../shared/traces/open.ts';
import { describeReport, type TraceReport } from '../../shared/traces/report.ts';
import { featureStatistics, type FeatureStatistics } from '../../shared/traces/statistics.ts';

type Resources = Record<string, { busyTokens: Tokens }>;

/** Adds `esr trace`: traces read, converted, counted and made up. */
export function registerTrace(program: Command): void {
  const trace = program.command('trace').description('demand as a list of jobs: convert, generate and count it');
  const file = ['<file>', 'JSON lines or a FlexNet debug log, told by its content; - reads standard input'] as const;

  trace
    .command('convert')
    .description('write a trace in the other form; what could not be read is reported on standard error')
    .argument(...file)
    .option('--from <time>', 'leave out jobs submitted before this time (RFC 3339, or a date in UTC)', instant)
    .option('--to <time>', 'leave out jobs submitted at this time or later', instant)
    .addOption(
      new Option('--to-format <format>', 'what to write').choices(['json-lines', 'flexnet']).default('json-lines'),
    )
    .option('--out <file>', 'write to this file instead of standard output')
    .action(convert);

  trace
    .command('generate')
    .description('make up a workload with a daily and a weekly rhythm, the same for a seed everywhere')
    .option('--seed <number>', 'of the random numbers', wholeNumber, 1)
    .option('--days <number>', 'how many days of demand', wholeNumber, 7)
    .addOption(
      new Option('--from <time>', 'when the first day begins (RFC 3339, or a date in UTC)')
        .argParser(instant)
        .default(Date.UTC(2026, 0, 5), '2026-01-05'),
    )
    .option(
      '--resource <name=tokens>',
      'a resource and the tokens that its busiest hours use; may be given several times (default: hfss_solve=16 hfsshpc=128)',
      addResource,
    )
    .option('--jobs-per-hour <number>', 'mean over the week', positiveNumber, 6)
    .action(generate);

  trace
    .command('stats')
    .description('count a trace per feature: checkouts, most tokens out at once, token-hours')
    .argument(...file)
    .option('--json', 'write JSON instead of a table')
    .action(statistics);
}

interface ConvertOptions {
  from?: Instant;
  to?: Instant;
  toFormat: TraceReport['format'];
  out?: string;
}

async function convert(
  path: string,
  { from = -Infinity, to = Infinity, toFormat, out }: ConvertOptions,
): Promise<void> {
  const { jobs, report } = await openTrace(path);
  const chosen = jobs.filter(({ submit }) => submit >= from && submit < to);
  await write(toFormat === 'flexnet' ? writeFlexnetLog(chosen) : writeJobs(chosen), out);
  process.stderr.write(`${describeReport(report)}\nJobs written: ${chosen.length}\n`);
}

interface GenerateOptions {
  seed: number;
  days: number;
  from: Instant;
  resource?: Resources;
  jobsPerHour: number;
}

const defaultResources: Resources = { hfss_solve: { busyTokens: 16 }, hfsshpc: { busyTokens: 128 } };

async function generate({ resource: resources = defaultResources, ...options }: GenerateOptions): Promise<void> {
  await write(writeJobs(generateTrace({ ...options, resources })));
}

async function statistics(path: string, { json }: { json?: true }): Promise<void> {
  const { jobs, events, report } = await openTrace(path);
  const features = featureStatistics(events ?? eventsOf(jobs));
  await write([json ? `${JSON.stringify(features.map(readable), undefined, 2)}\n` : `${table(features)}\n`]);
  process.stderr.write(`${describeReport(report)}\n`);
}

function readable({ peakAt, ...rest }: FeatureStatistics) {
  return { ...rest, ...(peakAt === undefined ? {} : { peakAt: new Date(peakAt).toISOString() }) };
}

function table(features: readonly FeatureStatistics[]): string {
  const rows = new Table({
    head: ['feature', 'checkouts', 'most out', 'at (UTC)', 'token-hours', 'still out'],
    colAligns: ['left', 'right', 'right', 'left', 'right', 'right'],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  for (const { feature, checkouts, peak, peakAt, tokenHours, stillOut } of features) {
    const at = peakAt === undefined ? '' : new Date(peakAt).toISOString().slice(0, 19).replace('T', ' ');
    rows.push([feature, checkouts, peak, at, tokenHours.toFixed(1), stillOut]);
  }
  return rows.toString();
}

async function write(lines: Iterable<string>, out?: string): Promise<void> {
  if (out !== undefined) return pipeline(lines, createWriteStream(out));
  try {
    await pipeline(lines, process.stdout, { end: false });
  } catch (error) {
    // The reader has seen enough, as in `esr trace generate | head`.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

function instant(text: string): Instant {
  const time = z.union([isoTime, z.iso.date()]).safeParse(text);
  if (!time.success) throw new InvalidArgumentError('Give a time like 2026-01-05T09:30:00Z or a date like 2026-01-05.');
  return Date.parse(time.data);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

function positiveNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number < Infinity)) throw new InvalidArgumentError('Give a number above 0.');
  return number;
}

function addResource(text: string, resources: Resources = {}): Resources {
  const [name, count] = text.split('=');
  const parsed = z.tuple([resourceName, positiveTokens]).safeParse([name, Number(count)]);
  if (!parsed.success) throw new InvalidArgumentError('Give a name and a number of tokens, like hfsshpc=128.');
  return { ...resources, [parsed.data[0]]: { busyTokens: parsed.data[1] } };
}
