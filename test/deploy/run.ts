import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Answers what it wrote to its standard output. Throws with what it wrote to either. */
export async function run(
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string> {
  try {
    return (await execute(program, parameters, { env: environment, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout, stderr } = Object(error);
    throw new Error(`running ${program} ${parameters.join(' ')}: ${stdout}${stderr}`, { cause: error });
  }
}
