import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs Node in a process of its own; answers what it printed. Rejects where it ends with an error. */
export async function runNode(parameters: readonly string[]): Promise<string> {
  const { stdout } = await execute(process.execPath, parameters, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
