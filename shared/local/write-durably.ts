import { open, rename } from 'node:fs/promises';

/** The file has either its old content or all of the new one, whenever the machine stops. */
export async function writeDurably(file: string, content: string, mode = 0o644): Promise<void> {
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
