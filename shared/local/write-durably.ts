import { open, rename, rm } from 'node:fs/promises';

/** A file of the data directory could not be written; it still has its old content. */
export class FileNotWritten extends Error {
  override readonly name = 'FileNotWritten';
  readonly file: string;

  constructor(file: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`writing ${file}: ${why}; make room or mend the permissions, and start again`, { cause });
    this.file = file;
  }
}

/** The file has either its old content or all of the new one, whenever the machine stops. Throws `FileNotWritten`. */
export async function writeDurably(file: string, content: string, mode = 0o644): Promise<void> {
  const temporary = `${file}.new`;
  try {
    const handle = await open(temporary, 'w', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new FileNotWritten(file, error);
  }
}
