/** The form of a journal's lines: a CRC-32 in eight hexadecimal digits, a space, JSON, a line end. */
import { crc32 } from 'node:zlib';
import { JournalDamagedError } from './journal-errors.ts';

const lineEnd = 0x0a;
const checksumLength = 8;

export function encodeLine(entry: unknown): Buffer {
  const json = JSON.stringify(entry);
  return Buffer.from(`${checksum(json)} ${json}\n`);
}

/**
 * The JSON of each line, and where the last whole one ends. A crash leaves only the last line unfinished; throws
 * `JournalDamagedError` when another one is not as it was written.
 */
export function readLines(bytes: Buffer, path: string): { lines: string[]; length: number } {
  const lines: string[] = [];
  let length = 0;
  while (length < bytes.length) {
    const end = bytes.indexOf(lineEnd, length);
    const json = end === -1 ? undefined : decodeLine(bytes.toString('utf8', length, end));
    if (json === undefined) {
      if (end !== -1 && end + 1 < bytes.length) throw new JournalDamagedError(path, lines.length + 1);
      break;
    }
    lines.push(json);
    length = end + 1;
  }
  return { lines, length };
}

function decodeLine(line: string): string | undefined {
  const json = line.slice(checksumLength + 1);
  return line === `${checksum(json)} ${json}` ? json : undefined;
}

function checksum(json: string): string {
  return crc32(json).toString(16).padStart(checksumLength, '0');
}
