import { join } from 'node:path';
import type { Command } from 'commander';
import { loadSiteFile } from '../../shared/config/load.ts';
import { takeDirectory } from '../../shared/local/data-directory.ts';
import { engineEnvironment, startEngine } from '../../shared/local/engine.ts';
import { localLedger } from '../../shared/local/site-totals.ts';
import { replay } from '../../shared/replay.ts';
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

async function run(path: string, { data, json }: { data?: string; json?: true }): Promise<void> {
  const site = await loadSiteFile(path);
  const directory = data ?? join('.esr', site.policy.site);
  const letGo = await takeDirectory(directory);
  const engine = await startEngine({ directory });
  try {
    const result = await replay(localLedger(site, engineEnvironment(engine)), site.policy, site.policyDigest);
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
  } finally {
    await engine.stop();
    await letGo();
  }
}
