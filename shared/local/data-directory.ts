import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Another process runs a site on the directory. */
export class DirectoryInUse extends Error {
  readonly directory: string;
  constructor(directory: string, pid: number) {
    super(
      `using the data directory ${directory}: process ${pid} runs a site on it; stop that or name another with --data`,
    );
    this.name = 'DirectoryInUse';
    this.directory = directory;
  }
}

/** Takes the directory for this process, making it where it is missing; answers how to let go of it. Throws `DirectoryInUse`. */
export async function takeDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'process');
  for (;;) {
    try {
      const handle = await open(file, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      return () => rm(file, { force: true });
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const pid = Number(await readFile(file, 'utf8').catch(() => ''));
    if (isAlive(pid)) throw new DirectoryInUse(directory, pid);
    // Whoever took it was killed.
    await rm(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
