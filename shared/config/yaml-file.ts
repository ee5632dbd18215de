import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { maxResources } from '../contracts/controller.ts';
import type { Fault } from './fault.ts';
import { readText } from './read-text.ts';
import { offsetOf, treeFaults, type Path } from './yaml-tree.ts';

/** A YAML file as plain data that remembers where each value stood. */
export interface YamlFile {
  /** `undefined` where the text is no YAML. */
  readonly value: unknown;
  /** Faults of the text itself. */
  readonly faults: readonly Fault[];
  /** A fault at the value, or at the key, that the path leads to; where there is none, at the map that lacks it. */
  fault(path: Path, found: string, expected: string, at?: 'key' | 'value'): Fault;
}

/** Every resource may share its rules with the others; what goes far beyond that is meant to exhaust the memory. */
const maxAliasCount = 2 * maxResources;

/** What is no YAML at all has a fault at every token; the first few show that. */
const mostGrammarFaults = 20;

/** The faults for which the parser's message speaks to its caller and not to whoever wrote the file. */
const inWords: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second document',
  NON_STRING_KEY: 'a key that is not a text',
};

/** @throws UnreadableFile */
export async function readYamlFile(file: string): Promise<YamlFile> {
  const text = await readText(file);
  const document = parseDocument(text, {
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false, // `treeFaults` finds duplicates
  });

  const lines = linesOf(text);
  const faultAt = (offset: number, path: Path, found: string, expected: string): Fault => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col, path: z.core.toDotPath(path), found, expected };
  };
  const fault: YamlFile['fault'] = (path, found, expected, at = 'value') =>
    faultAt(offsetOf(document, path, at), path, found, expected);

  const grammarFaults = [...document.errors, ...document.warnings];
  if (grammarFaults.length > 0) {
    const faults = grammarFaults
      .slice(0, mostGrammarFaults)
      .map(({ pos, code, message }) =>
        faultAt(pos[0], [], inWords[code] ?? JSON.stringify(message), 'one valid YAML document'),
      );
    return { value: undefined, faults, fault };
  }
  const faults = Array.from(treeFaults(document.contents), ({ offset, path, found, expected }) =>
    faultAt(offset, path, found, expected),
  );
  try {
    return { value: document.toJS({ maxAliasCount }), faults, fault };
  } catch (error) {
    // An alias that leads nowhere is among the faults already.
    if (!(error instanceof ReferenceError)) throw error;
    if (faults.length === 0) {
      faults.push(faultAt(0, [], JSON.stringify(error.message), `at most ${maxAliasCount} uses of aliases`));
    }
    return { value: undefined, faults, fault };
  }
}

/** Left to the parser, the counter would miss line ends within what the parser gives up on. */
function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  return lines;
}
