import { OversizedItemError } from './errors.ts';
import { maximumBodyBytes } from './items.ts';

/** 5.6 MB together. */
const maximumParts = 16;

/** In parts that each fit into one item. Throws `OversizedItemError`; `mend`: how to make it smaller. */
export function inParts(bytes: Uint8Array, item: string, mend: string): Uint8Array[] {
  if (bytes.length > maximumParts * maximumBodyBytes) {
    throw new OversizedItemError(item, bytes.length, maximumParts * maximumBodyBytes, mend);
  }
  return Array.from({ length: Math.ceil(bytes.length / maximumBodyBytes) }, (_, part) =>
    bytes.subarray(part * maximumBodyBytes, (part + 1) * maximumBodyBytes),
  );
}
