import { join } from 'node:path';
import type { Command } from 'commander';
import { readSiteBundle } from '../../functions/site-bundle.ts';
import { loadSiteFile, type LoadedSite } from '../../shared/config/load.ts';
import { takeDirectory } from '../../shared/adapters/take-directory.ts';
import { engineEnvironment, startEngine } from '../../shared/local/engine.ts';
import { bundleFile } from '../../shared/local/local-site.ts';
import { localLedger } from '../../shared/local/site-totals.ts';
import { replay, type Replayed } from '../../shared/replay.ts';
import { rfc3339 } from '../../shared/status/rfc3339.ts';

/** Adds `replay`. Exit code 1: something was not found again. */
export function registerReplay(program: Command): void {
  program
    .command('replay')
    .description('decide again all that a local run has decided, from its history, and compare')
    .argument('<site>', 'the site file of the run')
    .option('--data <directory>', 'of the run (default: .esr/<site>)')
    .option('--json', 'print one JSON document')
    .action(run);
}

/** There is no run of the site in the directory. */
class NoRun extends Error {
  override readonly name = 'NoRun';

  constructor(site: string, directory: string, found: string) {
    super(`replaying ${site}: ${found} in ${directory}; name the directory of its run with --data`);
  }
}

async function run(path: string, { data, json }: { data?: string; json?: true }): Promise<void> {
  const site = await loadSiteFile(path);
  const directory = data ?? join('.esr', site.policy.site);
  await checkThatRan(site.policy.site, directory);
  const letGo = await takeDirectory(directory);
  try {
    print(await replayIn(directory, site), json === true);
  } finally {
    await letGo();
  }
}

async function checkThatRan(site: string, directory: string): Promise<void> {
  const bundle = await readSiteBundle(bundleFile(directory)).catch(() => undefined);
  if (bundle === undefined) throw new NoRun(site, directory, 'there is no run');
  if (bundle.policy.site !== site) throw new NoRun(site, directory, `the run is one of ${bundle.policy.site}`);
}

async function replayIn(directory: string, site: LoadedSite): Promise<Replayed> {
  const engine = await startEngine({ directory });
  try {
    return await replay(localLedger(site, engineEnvironment(engine)), site.policy, site.policyDigest);
  } finally {
    await engine.stop();
  }
}

function print(result: Replayed, json: boolean): void {
  const { entries, decisions, totals, difference } = result;
  if (difference !== undefined) process.exitCode = 1;
  if (json) return console.log(JSON.stringify(result, undefined, 2));
  const counts = `${entries} ledger writes, ${decisions} of them decisions, ${totals} totals`;
  if (difference === undefined) return console.log(`${counts}: all found again`);
  const { resource, version, at, what, recorded, replayed } = difference;
  console.log(
    `${counts}; the first difference is in ${what} of ${resource}, version ${version}, ${rfc3339(at)}\n` +
      `recorded: ${recorded}\nreplayed: ${replayed}`,
  );
}
