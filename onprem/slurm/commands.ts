import { join } from 'node:path';
import { parseDuration } from '../../shared/config/duration.ts';
import { ProgramError } from '../program-error.ts';
import { runProgram } from '../run-program.ts';
import type { SlurmSettings } from './config.ts';
import { squeueEnvironment } from './squeue.ts';

export type SlurmProgram = 'scontrol' | 'sacctmgr' | 'squeue' | 'sinfo';

/** Runs one of Slurm's programs and resolves with what it prints. Rejects with `ProgramError`. */
export type SlurmCommands = (program: SlurmProgram, ...args: readonly string[]) => Promise<string>;

/** What the programs say, and what it means: the first that fits, as each failure brings others about. */
const faults: readonly (readonly [said: RegExp, what: string, mend: string])[] = [
  [
    /munge|invalid authentication credential/i,
    'the authentication does not work',
    "see whether munged runs on the gateway's host with the cluster's key",
  ],
  [
    /unable to contact slurm controller|slurm backup controller in standby/i,
    'slurmctld does not answer',
    'start slurmctld, or correct SlurmctldHost and SlurmctldPort in slurm.conf',
  ],
  [
    /unable to connect to database/i,
    'the database behind slurmdbd does not answer',
    'start it; slurmdbd finds it by itself',
  ],
  [
    /persistconninit|persistent connection|problem talking to the database/i,
    'slurmdbd does not answer',
    'start slurmdbd, or correct AccountingStorageHost and AccountingStoragePort in slurm.conf',
  ],
  [
    /invalid license specification/i,
    'slurmctld does not know the licence, or reservations hold more of one than its total',
    'compare scontrol show licenses with scontrol show reservation',
  ],
  [
    /access\/permission denied|have (permission|privilege)|invalid user id/i,
    "the gateway's user may not do this",
    'make it an operator: sacctmgr modify user NAME set adminlevel=Operator',
  ],
  [
    /unable to process configuration file|no configuration file|slurm\.conf/i,
    'there is no usable slurm.conf',
    "correct scheduler.configuration in the gateway's config",
  ],
];

const awaited: Readonly<Record<SlurmProgram, string>> = {
  scontrol: 'slurmctld',
  squeue: 'slurmctld',
  sinfo: 'slurmctld',
  sacctmgr: 'slurmdbd, its database or slurmctld',
};

export function slurmCommands(settings: SlurmSettings): SlurmCommands {
  const { programs, configuration } = settings;
  const timeoutMilliseconds = parseDuration(settings.commandTimeout) * 1000;
  const environment = {
    LC_ALL: 'C',
    ...squeueEnvironment,
    ...(configuration !== undefined && { SLURM_CONF: configuration }),
  };
  return async (name, ...args) => {
    const program = programs === undefined ? name : join(programs, name);
    try {
      return await runProgram({ program, arguments: args, timeoutMilliseconds, environment });
    } catch (error) {
      throw error instanceof ProgramError ? inWords(error, name, [program, ...args]) : error;
    }
  };
}

/** The same error, with what it means in Slurm's words. */
function inWords(error: ProgramError, name: SlurmProgram, command: readonly string[]): ProgramError {
  const { timedOut, exitCode, stderr } = error;
  const facts = { timedOut, stderr, cause: error, ...(exitCode !== undefined && { exitCode }) };
  const end = timedOut ? 'no end in time' : `exit code ${exitCode}`;
  const fault = faults.find(([said]) => said.test(stderr));
  if (fault !== undefined) {
    const [, what, mend] = fault;
    return new ProgramError(command, `${end}: ${what}`, mend, facts);
  }
  if (!timedOut) return error;
  const mend = `see whether ${awaited[name]} hangs, or set a longer scheduler.commandTimeout in the gateway's config`;
  return new ProgramError(command, `${end}: it waits for ${awaited[name]}`, mend, facts);
}
