/** One process at a time on a directory: a file `process` in it names the one that has it. */
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Another process works on the directory. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
  readonly directory: string;

  constructor(directory: string, pid: number) {
    super(
      `using the data directory ${directory}: process ${pid} works on it; stop that or name another directory (if it is another program, remove ${join(directory, 'process')})`,
    );
    this.directory = directory;
  }
}

/** The directory can't be made, or nothing can be written into it. */
export class DirectoryUnusable extends Error {
  override readonly name = 'DirectoryUnusable';
  readonly directory: string;

  constructor(directory: string, cause: unknown) {
    super(
      `using the data directory ${directory}: it can't be made or written (${String(cause)}); change its permissions or name another directory`,
      { cause },
    );
    this.directory = directory;
  }
}

/**
 * Takes the directory for this process, making it where it is missing; answers how to let go of it. Other processes are
 * kept out; that this one takes it once is for this one to see to. Throws `DirectoryInUse`, `DirectoryUnusable`.
 */
export async function takeDirectory(directory: string): Promise<() => Promise<void>> {
  const file = join(directory, 'process');
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await markAsOurs(directory, file);
  } catch (error) {
    throw error instanceof DirectoryInUse ? error : new DirectoryUnusable(directory, error);
  }
  return () => rm(file, { force: true });
}

async function markAsOurs(directory: string, file: string): Promise<void> {
  // Linked and not written in place, so that nobody ever finds the file without the number in it.
  const own = `${file}.${process.pid}`;
  await writeFile(own, String(process.pid));
  try {
    while (!(await linked(own, file))) {
      const pid = Number(await readFile(file, 'utf8').catch(() => ''));
      if (isAlive(pid)) throw new DirectoryInUse(directory, pid);
      // Whoever took it was killed.
      await rm(file, { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** `false`: the file is there already. */
async function linked(own: string, file: string): Promise<boolean> {
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
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
