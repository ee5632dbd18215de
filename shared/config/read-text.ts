import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';

const maxBytes = 10_000_000;

/** What `readText` asks of a file, in words. */
export const readable = 'a file in UTF-8 of at most 10 MB that this user may read';

const foundInstead: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'a directory',
  EACCES: 'a file that this user may not read',
};

/** `found` says in words what is there instead of a readable file. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly file: string;
  readonly found: string;

  constructor(file: string, found: string, options?: ErrorOptions) {
    super(`reading ${file}: found ${found}, expected ${readable}`, options);
    this.file = file;
    this.found = found;
  }
}

/** @throws UnreadableFile */
export async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  if (bytes.length > maxBytes) throw new UnreadableFile(file, 'more than 10 MB');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UnreadableFile(file, 'bytes that are not UTF-8', { cause });
  }
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    // `end` is inclusive: one byte more than allowed shows that a file is too large, and an endless one ends.
    return await buffer(createReadStream(file, { end: maxBytes }));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new UnreadableFile(file, foundInstead[code] ?? String(cause), { cause });
  }
}
