import { join } from 'node:path';
import { databaseLogSize, nodeNames, type LabFiles } from './configuration.ts';
import { Daemon } from './daemon.ts';
import type { SlurmLabOptions } from './options.ts';
import { run, type Environment } from './run.ts';

/** In the order in which they need each other. `slurmd` stands for those of all nodes. */
export const daemonNames = ['munged', 'mariadbd', 'slurmdbd', 'slurmctld', 'slurmd'] as const;
export type DaemonName = (typeof daemonNames)[number];

/** They and their jobs are started with these variables. */
export function daemonsOf(
  files: LabFiles,
  options: SlurmLabOptions,
  environment: Environment,
): Readonly<Record<DaemonName, Daemon>> {
  const { directory, mungeKey, mungeSocket, database, databaseSocket } = files;
  const daemon = (
    name: DaemonName,
    argumentsOfEach: readonly (readonly string[])[],
    answers: () => Promise<boolean>,
  ): Daemon =>
    new Daemon({
      name,
      commands: argumentsOfEach.map((args) => [name, ...args]),
      answers,
      environment,
      log: join(directory, `${name}.log`),
    });
  const prints = async (expected: RegExp, program: string, ...args: readonly string[]): Promise<boolean> =>
    expected.test(await run(environment, program, ...args));

  return {
    munged: daemon(
      'munged',
      [
        [
          '--foreground',
          '--force', // Even where the temporary directory is root's alone.
          `--key-file=${mungeKey}`,
          `--socket=${mungeSocket}`,
          `--pid-file=${directory}/munged.pid`,
          `--seed-file=${directory}/munge.seed`,
        ],
      ],
      () => prints(/^MUNGE:/, 'munge', `--socket=${mungeSocket}`, '--no-input'),
    ),
    mariadbd: daemon(
      'mariadbd',
      [
        [
          '--no-defaults',
          '--user=root',
          `--datadir=${database}`,
          `--tmpdir=${directory}`,
          `--socket=${databaseSocket}`,
          `--pid-file=${directory}/mariadbd.pid`,
          '--skip-networking',
          '--performance-schema=OFF',
          databaseLogSize,
        ],
      ],
      () => prints(/alive/, 'mariadb-admin', '--no-defaults', `--socket=${databaseSocket}`, 'ping'),
    ),
    slurmdbd: daemon('slurmdbd', [['-D']], () =>
      prints(/^/, 'sacctmgr', '--noheader', '--parsable2', 'show', 'cluster'),
    ),
    slurmctld: daemon('slurmctld', [['-D']], () => prints(/is UP/, 'scontrol', 'ping')),
    slurmd: daemon(
      'slurmd',
      nodeNames(options).map((node) => ['-D', '-N', node]),
      () => prints(/^((idle|mix|alloc)\n)+$/, 'sinfo', '--noheader', '--Node', '--format=%t'),
    ),
  };
}
