import { writeFile } from 'node:fs/promises';
import Table from 'cli-table3';
import type { Command } from 'commander';
import { loadSiteFile } from '../../shared/config/load.ts';
import {
  simulate,
  type ResourceResult,
  type RunResult,
  type SimulationResult,
} from '../../shared/simulation/simulate.ts';
import { rfc3339 } from '../../shared/status/rfc3339.ts';
import { totalsCsv } from '../../shared/status/totals.ts';
import { openTrace } from '../../shared/traces/open.ts';
import { describeReport } from '../../shared/traces/report.ts';
import { progressBar } from '../progress.ts';
import { selectJobs } from '../select-jobs.ts';

interface SimulateOptions {
  readonly trace: string;
  readonly json?: true;
  readonly totals?: string;
}

/** Adds `simulate`. */
export function registerSimulate(program: Command): void {
  program
    .command('simulate')
    .description('take a trace through a site, with borrowing and with owned tokens alone, and compare')
    .argument('<site>', 'the site file; its providers need offers')
    .requiredOption('--trace <file>', 'JSON lines or a FlexNet debug log; - reads standard input')
    .option('--json', 'print one JSON document')
    .option('--totals <file>', 'write the elastic totals over time to this file, as CSV')
    .action(run);
}

async function run(path: string, options: SimulateOptions): Promise<void> {
  const site = await loadSiteFile(path);
  const trace = await openTrace(options.trace);
  if (!options.json) process.stderr.write(`${describeReport(trace.report)}\n`);
  const jobs = selectJobs(site, trace);
  const bar = progressBar('simulating');
  const result = await simulate({ site, jobs, onProgress: bar.update });
  bar.stop();
  if (options.totals !== undefined) {
    const { resources } = result.runs.elastic;
    const steps = site.policy.resources.map(({ resource }) => [resource, resources[resource]?.totals ?? []] as const);
    await writeFile(options.totals, totalsCsv(new Map(steps)));
  }
  process.stdout.write(options.json ? `${JSON.stringify(toJson(result), undefined, 2)}\n` : `${toTable(result)}\n`);
}

function toJson({ site, from, to, runs }: SimulationResult) {
  const run = ({ resources }: RunResult) => ({
    resources: Object.fromEntries(
      Object.entries(resources).map(([name, { usedBorrowedTokenHours: _used, ...result }]) => [
        name,
        { ...result, totals: result.totals.map(([at, ...numbers]) => [rfc3339(at), ...numbers]) },
      ]),
    ),
  });
  return {
    site,
    from: rfc3339(from),
    to: rfc3339(to),
    runs: { elastic: run(runs.elastic), ownedOnly: run(runs.ownedOnly) },
  };
}

function toTable({ site, from, to, runs }: SimulationResult): string {
  const head = [
    'resource',
    'run',
    'jobs waited',
    'token-h waited',
    'peak in use',
    'peak total',
    'grants',
    'token-h borrowed',
    'used',
    'cost',
  ];
  const table = new Table({
    head,
    colAligns: head.map((_, index) => (index < 2 ? 'left' : 'right')),
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  for (const [name, elastic] of Object.entries(runs.elastic.resources)) {
    table.push(row(name, 'elastic', elastic));
    const ownedOnly = runs.ownedOnly.resources[name];
    if (ownedOnly !== undefined) table.push(row('', 'owned only', ownedOnly));
  }
  return `${site}, ${rfc3339(from)} to ${rfc3339(to)}\n${table.toString()}`;
}

function row(name: string, run: string, result: ResourceResult): string[] {
  const { borrowedTokenHours: borrowed, usedBorrowedTokenHours: used } = result;
  return [
    name,
    run,
    String(result.jobsWaited),
    result.waitTokenHours.toFixed(1),
    String(result.peakInUse),
    String(result.peakTotal),
    String(result.grants),
    borrowed.toFixed(1),
    borrowed > 0 ? `${((100 * used) / borrowed).toFixed(0)} %` : '',
    result.cost.toFixed(2),
  ];
}
