import type { Command } from 'commander';
import { countOf, formatFault, FileFaults } from '../../shared/config/fault.ts';
import { loadSiteFile } from '../../shared/config/load.ts';
import { showSite } from '../../shared/config/show.ts';

interface CheckOptions {
  readonly show?: true;
  readonly json?: true;
}

/** Adds `check`. Exit code 1: there is something to mend. */
export function registerCheck(program: Command): void {
  program
    .command('check')
    .description('check a site file and the resources file that it names')
    .argument('<file>', 'the site file')
    .option('--show', 'print the file as it is understood, with every default filled in')
    .option('--json', 'print one JSON document')
    .action(check);
}

async function check(path: string, { show, json }: CheckOptions): Promise<void> {
  try {
    const site = await loadSiteFile(path);
    const resources = Object.keys(site.file.resources).length;
    const elastic = site.policy.resources.length;
    if (json) {
      const { file, policyDigest } = site;
      printJson({ file: path, ok: true, resources, elastic, policyDigest, ...(show ? { site: file } : {}) });
    } else if (show) {
      console.log(showSite(site).trimEnd());
    } else {
      console.log(`${path}: ok, ${resources} resources, ${elastic} elastic`);
    }
  } catch (error) {
    if (!(error instanceof FileFaults)) throw error;
    const { faults } = error;
    if (json) printJson({ file: path, ok: false, faults });
    else console.error([...faults.map(formatFault), `${path}: ${countOf(faults)}`].join('\n'));
    process.exitCode = 1;
  }
}

function printJson(document: unknown): void {
  console.log(JSON.stringify(document, undefined, 2));
}
