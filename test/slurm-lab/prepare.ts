import { cluster, databaseLogSize, type LabFiles } from './configuration.ts';
import { SlurmLabError } from './lab-error.ts';
import { run, until, type Environment } from './run.ts';
import type { Slurm } from './slurm.ts';

/** Makes the key of the lab's munged and an empty database, which root may use by its socket without a password. */
export async function makeKeyAndDatabase(files: LabFiles, environment: Environment): Promise<void> {
  await Promise.all([
    run(environment, 'mungekey', '--create', `--keyfile=${files.mungeKey}`),
    run(
      environment,
      'mariadb-install-db',
      '--no-defaults',
      '--user=root',
      `--datadir=${files.database}`,
      `--tmpdir=${files.directory}`,
      '--auth-root-authentication-method=socket',
      '--auth-root-socket-user=root',
      '--skip-test-db',
      databaseLogSize,
    ),
  ]);
}

/** Adds remote licences to slurmdbd, all of them for the lab's cluster, and resolves when slurmctld counts them. */
export async function addLicences(
  slurm: Slurm,
  environment: Environment,
  licences: Readonly<Record<string, number>>,
): Promise<void> {
  for (const [licence, total] of Object.entries(licences)) {
    const [name, server] = licence.split('@');
    if (server === undefined) throw new SlurmLabError(`adding the licence ${licence}: its name lacks the @SERVER`);
    await run(
      environment,
      'sacctmgr',
      '--immediate',
      'add',
      'resource',
      `name=${name}`,
      `server=${server}`,
      'servertype=flexlm',
      'type=license',
      `count=${total}`,
      'percentallowed=100',
      `cluster=${cluster}`,
    );
    await until(`slurmctld counts ${licence}`, async () => (await slurm.licences()).get(licence)?.total === total);
  }
}
