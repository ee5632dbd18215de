import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { atMost, type Benchmark } from './benchmark.ts';
import { growth, linearGrowth, median, seconds, timedRuns, times } from './figures.ts';
import { functionArtefact, projectRoot, whereThereAre, withDirectory } from './places.ts';

const execute = promisify(execFile);
const runs = 3;
const fleets = [25, 50];

/** What it takes to make the templates of one site and of a fleet, without the CDK command around it. */
export const synth: Benchmark = {
  name: 'synth',
  run: () =>
    whereThereAre([functionArtefact('reconcile')], 'synth', async () => {
      const one = await synthMilliseconds(1);
      const ofFleets: number[] = [];
      for (const sites of fleets) ofFleets.push(await synthMilliseconds(sites));
      return [
        { measure: 'synth, one site', ...atMost(one, 5_000, seconds), how: `whole process, median of ${runs}` },
        {
          measure: `synth, twice the sites (${fleets.join(', ')})`,
          ...atMost(Math.max(...growth(ofFleets)), linearGrowth, times),
          how: ofFleets.map(seconds).join(', '),
        },
      ];
    }),
};

function synthMilliseconds(sites: number): Promise<number> {
  return withDirectory(async (directory) => {
    const example = await readFile(join(projectRoot, 'sites/austin.yaml'), 'utf8');
    await mkdir(join(directory, 'sites'));
    await symlink(join(projectRoot, 'dist'), join(directory, 'dist'));
    for (let index = 0; index < sites; index += 1) {
      const site = example.replace(/^site: .*$/m, `site: site-${index}`).replace(/^ {2}keys: .*$/m, '');
      await writeFile(join(directory, 'sites', `site-${index}.yaml`), site);
    }
    const loader = pathToFileURL(join(projectRoot, 'node_modules/tsx/dist/esm/index.mjs')).href;
    const parameters = ['--import', loader, join(projectRoot, 'cdk/app.ts')];
    const environment = { ...process.env, CDK_OUTDIR: join(directory, 'cdk.out') };
    const milliseconds = await timedRuns(runs, () =>
      execute(process.execPath, parameters, { cwd: directory, env: environment }),
    );
    return median(milliseconds);
  });
}
