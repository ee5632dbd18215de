import type { FlexnetReport } from './flexnet.ts';

/** What was read to get a trace. */
export type TraceReport =
  | { readonly format: 'json-lines'; readonly jobs: number }
  | ({ readonly format: 'flexnet'; readonly jobs: number } & FlexnetReport);

/** The report as sentences for people, one a line. */
export function describeReport(report: TraceReport): string {
  if (report.format === 'json-lines') return `JSON lines with jobs: ${report.jobs}`;
  return [
    `FlexNet debug log with lines: ${report.lines} (not understood: ${report.linesNotUnderstood}), jobs: ${report.jobs}`,
    `OUT: ${report.checkouts}, without IN, so that they end with the log or a restart: ${report.outWithoutIn}`,
    `IN: ${report.checkins}, without OUT, so that they are left out: ${report.inWithoutOut}`,
    `DENIED: ${report.denied}`,
    ...(report.dated ? [] : ['No line tells a date: the log is read as beginning on 1970-01-01']),
  ].join('\n');
}
