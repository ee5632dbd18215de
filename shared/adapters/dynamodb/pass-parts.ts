import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { PassRecord } from '../../domain/pass-record.ts';
import { inParts } from './parts.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The record compressed, in parts that each fit into one item. */
export async function packPass(record: PassRecord): Promise<Uint8Array[]> {
  const packed = await compress(JSON.stringify(record));
  return inParts(packed, `PASS#${record.id}`, 'Ask the controller for a shorter window of peaks, or split the site.');
}

export async function unpackPass(parts: readonly Uint8Array[]): Promise<PassRecord> {
  const json = await decompress(Buffer.concat(parts));
  const record: PassRecord = JSON.parse(json.toString());
  return record;
}
