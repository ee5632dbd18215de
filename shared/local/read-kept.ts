import { readFile } from 'node:fs/promises';

/** A file that an earlier run has kept is there and can't be used. */
export class FileUnusable extends Error {
  override readonly name = 'FileUnusable';
  readonly file: string;

  constructor(file: string, fault: string) {
    super(`reading ${file}: ${fault}; mend or remove it, or name another directory with --data`);
    this.file = file;
  }
}

/**
 * The JSON of a file that `writeDurably` wrote, whose form is therefore known; `undefined` where there is none. Throws
 * `FileUnusable`, which quotes nothing of the file: it may hold private keys.
 */
export async function readKept<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new FileUnusable(file, error.message);
  });
  if (text === undefined) return undefined;
  try {
    const kept: T = JSON.parse(text);
    return kept;
  } catch {
    throw new FileUnusable(file, 'it is damaged');
  }
}
