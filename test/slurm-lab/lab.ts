import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { cluster, filesIn, writeConfiguration } from './configuration.ts';
import { daemonNames, daemonsOf, type DaemonName } from './daemons.ts';
import { onProcessEnd } from './on-process-end.ts';
import { defaultOptions, type SlurmLabOptions } from './options.ts';
import { parentDirectory } from './parent-directory.ts';
import { addLicences, makeKeyAndDatabase } from './prepare.ts';
import { killProcessesWith } from './processes.ts';
import type { Environment } from './run.ts';
import { Slurm } from './slurm.ts';

/** A whole Slurm of its own on this machine, in a temporary directory and on free ports. It keeps nothing. */
export interface SlurmLab {
  /** With these variables Slurm's programs speak to this lab. */
  readonly environment: Environment;
  /** The tests' own view of it. */
  readonly slurm: Slurm;
  /** Resolves when the daemon has ended. Jobs run on without it. */
  kill(daemon: DaemonName, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Resolves when the daemon, which was killed, answers again. */
  start(daemon: DaemonName): Promise<void>;
  /** From now on the daemon takes connections and does not answer. */
  freeze(daemon: DaemonName): void;
  thaw(daemon: DaemonName): void;
  /** Kills all daemons and jobs, and removes their files. It may be called twice. */
  stop(): Promise<void>;
}

/**
 * Needs root and what install.sh installs. The lab is stopped when this process ends, and when a part of it does not
 * start, whereupon this rejects with `SlurmLabError`.
 */
export async function startSlurmLab(options: Partial<SlurmLabOptions> = {}): Promise<SlurmLab> {
  const allOptions = { ...defaultOptions, ...options };
  const files = filesIn(await mkdtemp(join(await parentDirectory(), 'slurm-lab-')));
  const environment = { SLURM_CONF: files.slurmConf };
  const slurm = new Slurm(environment);
  // slurmstepd and the jobs have both variables too; who only speaks to the lab has the first alone.
  const marks = { ...environment, SLURM_CLUSTER_NAME: cluster };
  const daemons = daemonsOf(files, allOptions, { ...marks, MYSQL_UNIX_PORT: files.databaseSocket });

  const leaveNothing = (): void => {
    killProcessesWith(marks);
    rmSync(files.directory, { recursive: true, force: true });
  };
  const callOff = onProcessEnd(leaveNothing);
  const stop = async (): Promise<void> => {
    await Promise.all(daemonNames.map((name) => daemons[name].end('SIGKILL')));
    leaveNothing();
    callOff();
  };

  try {
    await chmod(files.directory, 0o755); // Not only root may speak to the lab.
    await writeConfiguration(files, allOptions);
    await makeKeyAndDatabase(files, environment);
    for (const name of daemonNames) await daemons[name].start();
    await addLicences(slurm, environment, allOptions.licences);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    environment,
    slurm,
    kill: (name, signal) => daemons[name].end(signal),
    start: (name) => daemons[name].start(),
    freeze: (name) => daemons[name].signal('SIGSTOP'),
    thaw: (name) => daemons[name].signal('SIGCONT'),
    stop,
  };
}
