import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { PassRecord } from '../../domain/pass-record.ts';
import { OversizedItemError } from './errors.ts';
import { maximumBodyBytes } from './items.ts';

/** 5.6 MB compressed. */
const maximumParts = 16;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The record compressed, in pieces that each fit into one item. */
export async function packPass(record: PassRecord): Promise<Buffer[]> {
  const packed = await compress(JSON.stringify(record));
  if (packed.length > maximumParts * maximumBodyBytes) {
    throw new OversizedItemError(
      `PASS#${record.id}`,
      packed.length,
      maximumParts * maximumBodyBytes,
      'Ask the controller for a shorter window of peaks, or split the site.',
    );
  }
  return Array.from({ length: Math.ceil(packed.length / maximumBodyBytes) }, (_, part) =>
    packed.subarray(part * maximumBodyBytes, (part + 1) * maximumBodyBytes),
  );
}

export async function unpackPass(parts: readonly Uint8Array[]): Promise<PassRecord> {
  const json = await decompress(Buffer.concat(parts));
  const record: PassRecord = JSON.parse(json.toString());
  return record;
}
