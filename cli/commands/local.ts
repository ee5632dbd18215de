import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadSiteFile, type LoadedSite } from '../../shared/config/load.ts';
import type { Instant } from '../../shared/domain/model.ts';
import { runLocally } from '../../shared/local/run-locally.ts';
import { startLockstep } from '../../shared/local/lockstep.ts';
import { siteTotals } from '../../shared/local/site-totals.ts';
import type { Log } from '../../shared/ports.ts';
import { drive } from '../../shared/simulation/drive.ts';
import { horizon } from '../../shared/simulation/simulate.ts';
import { totalsCsv } from '../../shared/status/totals.ts';
import type { TraceJob } from '../../shared/traces/job.ts';
import { openTrace } from '../../shared/traces/open.ts';
import { Display } from '../display.ts';
import { openLog } from '../log-file.ts';
import { NotedLog } from '../noted-log.ts';
import { durationSeconds, portNumber, positiveNumber } from '../options.ts';
import { progressBar } from '../progress.ts';
import { selectJobs } from '../select-jobs.ts';

interface LocalOptions {
  readonly trace?: string;
  readonly speed: number;
  readonly data?: string;
  readonly port: number;
  readonly for?: number;
  readonly json?: true;
  readonly log?: string;
  readonly lockstep?: true;
  readonly totals?: string;
}

/** Adds `local`. */
export function registerLocal(program: Command): void {
  program
    .command('local')
    .description('run a whole site on this machine: pool, controller, functions, database and status API')
    .argument('<site>', 'the site file; pools without a url are started from their offers')
    .option('--trace <file>', 'jobs for the reference cluster: JSON lines or a FlexNet debug log')
    .option('--speed <factor>', 'how many times as fast as real time', positiveNumber, 1)
    .option('--data <directory>', 'where everything is kept; a second start goes on from there (default: .esr/<site>)')
    .option('--port <number>', 'of the status API on 127.0.0.1', portNumber, 8480)
    .option('--for <duration>', 'stop after this much real time', durationSeconds)
    .option('--json', 'print the resources as one JSON document a line instead of a table')
    .option('--log <file>', 'write the log of all parts to this file')
    .option('--lockstep', 'step through the trace as the simulator does, as fast as it goes, and stop')
    .option('--totals <file>', 'with --lockstep: write the totals over time to this file, as CSV')
    .action(run);
}

async function run(path: string, options: LocalOptions): Promise<void> {
  const site = await loadSiteFile(path);
  if (options.lockstep && options.trace === undefined)
    throw new Error('stepping through a trace: give it with --trace');
  if (options.totals !== undefined && !options.lockstep)
    throw new Error('writing the totals of a run: --totals goes with --lockstep; while a site runs, use esr totals');
  const jobs = options.trace === undefined ? [] : selectJobs(site, await openTrace(options.trace));
  if (options.lockstep) await runLockstep(site, jobs, options);
  else await runLive(site, jobs, options);
}

async function runLive(site: LoadedSite, jobs: readonly TraceJob[], options: LocalOptions): Promise<void> {
  const file = await openLog(options.log);
  const log = new NotedLog(file.log);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  // Nobody reads any more, as in `esr local ... | head`.
  process.stdout.once('error', interrupt);
  const timer = options.for === undefined ? undefined : setTimeout(interrupt, options.for * 1000);
  const { speed, port } = options;
  const directory = options.data ?? join('.esr', site.policy.site);
  const display = new Display({ json: options.json === true, stream: process.stdout });
  try {
    await runLocally({
      site,
      jobs,
      directory,
      speed,
      port,
      log,
      signal: stop.signal,
      onStarted: (started) => display.begin(started),
      onStatus: (status) => display.show(status, log.trouble),
    });
  } finally {
    display.end();
    clearTimeout(timer);
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    process.stdout.off('error', interrupt);
    await file.close();
  }
}

async function runLockstep(site: LoadedSite, jobs: readonly TraceJob[], options: LocalOptions): Promise<void> {
  const log = await openLog(options.log);
  const directory = options.data ?? (await mkdtemp(join(tmpdir(), 'esr-lockstep-')));
  try {
    await stepThrough(site, jobs, directory, log.log, options.totals);
  } finally {
    await log.close();
    if (options.data === undefined) await rm(directory, { recursive: true, force: true });
  }
}

async function stepThrough(
  site: LoadedSite,
  jobs: readonly TraceJob[],
  directory: string,
  log: Log,
  file: string | undefined,
): Promise<void> {
  const { from, to } = horizon(jobs);
  const world = await startLockstep({ site, directory, start: from, log });
  const bar = progressBar('stepping');
  const begin = performance.now();
  let ticks = 0;
  const onProgress = (now: Instant): void => {
    ticks += 1;
    bar.update((now - from) / (to - from || 1));
  };
  try {
    await Promise.race([drive(world, { jobs, from, to, tickSeconds: 60, onProgress }), world.site.broken]);
    bar.stop();
    const milliseconds = performance.now() - begin;
    process.stderr.write(`${ticks} ticks, ${(milliseconds / (ticks || 1)).toFixed(1)} ms each\n`);
    const csv = totalsCsv(await siteTotals(site, world.site.ledger));
    if (file === undefined) process.stdout.write(csv);
    else await writeFile(file, csv);
  } finally {
    bar.stop();
    await world.close();
  }
}
