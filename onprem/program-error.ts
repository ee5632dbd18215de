import { printable } from '../shared/adapters/http/faults.ts';
import { SchedulerError } from './scheduler.ts';

/** A program that the gateway ran for the scheduler could not start, did not end well, or did not end in time. */
export class ProgramError extends SchedulerError {
  override readonly name = 'ProgramError';
  /** It did not end in time and was killed; what it had asked of the scheduler may still take effect. */
  readonly timedOut: boolean;
  /** Absent where the program never started, or a signal ended it. */
  readonly exitCode?: number;
  /** The beginning of what it wrote to standard error. */
  readonly stderr: string;

  constructor(
    command: readonly string[],
    what: string,
    mend: string,
    facts: { timedOut?: boolean; exitCode?: number; stderr?: string; cause?: unknown } = {},
  ) {
    const { timedOut = false, exitCode, stderr = '', cause } = facts;
    const said = stderr.split('\n').find((line) => line.trim() !== '');
    const saying = said === undefined ? '' : `, saying ${JSON.stringify(printable(said.trim()))}`;
    super(`running ${commandLine(command)}: ${what}${saying}; ${mend}`, cause === undefined ? {} : { cause });
    this.timedOut = timedOut;
    if (exitCode !== undefined) this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** A program with its arguments, for a message. */
export function commandLine(command: readonly string[]): string {
  return printable(command.join(' '));
}
