import { Document, isMap, isScalar, isSeq } from 'yaml';
import type { LoadedSite } from './load.ts';
import { toList, toMap } from './raw.ts';

/** The site file as it is understood: in one piece, every default filled in and marked. It can be loaded again. */
export function showSite({ file, written }: Pick<LoadedSite, 'file' | 'written'>): string {
  const document = new Document(file, { aliasDuplicateObjects: false });
  markDefaults(document.contents, written);
  return document.toString({ lineWidth: 0 });
}

function markDefaults(node: unknown, written: unknown): void {
  if (isScalar(node)) {
    if (written === undefined) node.comment = ' default';
  } else if (isMap(node)) {
    for (const pair of node.items) markDefaults(pair.value, toMap(written)[String(pair.key)]);
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) markDefaults(item, toList(written)[index]);
  }
}
