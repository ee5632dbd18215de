import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type Pair } from 'yaml';

export type Path = readonly PropertyKey[];

/** A fault that YAML's grammar lets pass. `offset` counts from the start of the text. */
export interface TreeFault {
  readonly offset: number;
  readonly path: Path;
  readonly found: string;
  readonly expected: string;
}

/**
 * Duplicate keys, and aliases of nothing. The parser's own search for duplicate keys takes quadratic time and names no
 * path; and of a missing anchor it says only that there is one.
 */
export function* treeFaults(node: unknown, path: Path = [], anchors = new Set<string>()): Generator<TreeFault> {
  if (isAlias(node)) {
    if (!anchors.has(node.source)) {
      yield { offset: startOf(node), path, found: `the alias *${node.source}`, expected: 'an anchor above it' };
    }
    return;
  }
  if (isNode(node) && node.anchor !== undefined) anchors.add(node.anchor);
  if (isMap(node)) {
    const keys = new Set<string>();
    for (const pair of node.items) {
      const here = [...path, keyOf(pair)];
      if (keys.has(keyOf(pair))) {
        yield {
          offset: startOf(pair.key),
          path: here,
          found: 'a key that the map has already',
          expected: 'each key once',
        };
      }
      keys.add(keyOf(pair));
      yield* treeFaults(pair.value, here, anchors);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) yield* treeFaults(item, [...path, index], anchors);
  }
}

/** Where the value, or its key, begins that the path leads to; where there is none, the innermost node on the way. */
export function offsetOf(document: Document, path: Path, at: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const step of path) {
    const collection = isAlias(node) ? node.resolve(document) : node;
    if (isMap(collection)) {
      const pair = collection.items.find((pair) => keyOf(pair) === step);
      if (pair === undefined) break;
      node = pair.value;
      offset = at === 'key' || !isNode(node) ? startOf(pair.key) : startOf(node);
    } else if (isSeq(collection)) {
      node = collection.items[Number(step)];
      offset = startOf(node);
    }
  }
  return offset;
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
