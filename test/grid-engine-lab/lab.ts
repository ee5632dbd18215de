import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../onprem/run-program.ts';
import { freePorts } from '../slurm-lab/free-ports.ts';
import { onProcessEnd } from '../slurm-lab/on-process-end.ts';
import { killProcessesWith } from '../slurm-lab/processes.ts';

const programs = [
  '/usr/sbin/sge_qmaster',
  '/usr/sbin/sge_execd',
  '/usr/bin/qconf',
  '/usr/bin/qsub',
  '/usr/bin/python3',
];
const missing = programs.filter((program) => !existsSync(program));
if (process.getuid?.() !== 0) missing.push('root');

/** Whether a lab can run here. Tests that need one are skipped where it can't, and `orSkipped` in their title says so. */
export const gridEngineIsInstalled = missing.length === 0;
export const orSkipped = gridEngineIsInstalled
  ? ''
  : ` (skipped: no ${missing.join(', ')}; run test/grid-engine-lab/install.sh as root)`;

// Nobody shall take tests that were skipped for tests that have passed.
if (!gridEngineIsInstalled && process.env.CI === 'true') throw new Error(`looking for Grid Engine in CI${orSkipped}`);

/** A whole Grid Engine of its own on this machine, as start.sh describes it. It keeps nothing. */
export interface GridEngineLab {
  /** With these variables Grid Engine's programs speak to this lab. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves with what the program prints. Rejects with `ProgramError`. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Ends the queue master as a crash would, and resolves when a new one answers. */
  crashMaster(): Promise<void>;
  /** Kills all daemons and jobs, and removes their files. */
  stop(): void;
}

/** Rejects with `ProgramError` where a part of it does not start. */
export async function startGridEngineLab(): Promise<GridEngineLab> {
  const root = await mkdtemp(join(tmpdir(), 'grid-engine-lab-'));
  const [masterPort, executionPort] = await freePorts(2);
  const environment = {
    SGE_ROOT: root,
    SGE_CELL: 'default',
    SGE_QMASTER_PORT: String(masterPort),
    SGE_EXECD_PORT: String(executionPort),
  };
  const run = (program: string, ...args: readonly string[]): Promise<string> =>
    runProgram({ program, arguments: args, environment, timeoutMilliseconds: 30_000 });

  const leaveNothing = (): void => {
    killProcessesWith({ SGE_ROOT: root }); // Daemons and jobs alike.
    rmSync(root, { recursive: true, force: true });
  };
  const callOff = onProcessEnd(leaveNothing);
  const stop = (): void => {
    leaveNothing();
    callOff();
  };
  try {
    await run(fileURLToPath(new URL('start.sh', import.meta.url)));
  } catch (error) {
    stop();
    throw error;
  }
  return {
    environment,
    run,
    crashMaster: async () => {
      process.kill(Number(readFileSync(join(root, 'spool/qmaster/qmaster.pid'), 'utf8')), 'SIGKILL');
      await run('sge_qmaster');
      await run('sh', '-c', 'until qconf -sh >/dev/null 2>&1; do sleep 0.1; done');
    },
    stop,
  };
}
