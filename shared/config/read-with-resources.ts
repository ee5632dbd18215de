import { dirname, isAbsolute, join } from 'node:path';
import type * as z from 'zod';
import type { Fault } from './fault.ts';
import { toMap } from './raw.ts';
import { readable, UnreadableFile } from './read-text.ts';
import { resourcesFile } from './resource.ts';
import { shapeFaults } from './shape.ts';
import { describeValue } from './wording.ts';
import { readYamlFile, type YamlFile } from './yaml-file.ts';

export interface FileWithResources {
  readonly settings: YamlFile;
  /** The same file, or the one that it names under `resources`. */
  readonly resources: YamlFile;
  /** The settings with the resources in place. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Everything in either that departs from its schema. */
  readonly faults: Fault[];
}

/**
 * Reads a file that holds its resources under `resources`, or the path there of a file beside it that does.
 * `own` is the schema of the file that names another, `whole` that of one that holds all.
 */
export async function readWithResources(
  path: string,
  { own, whole }: { own: z.ZodType; whole: z.ZodType },
): Promise<FileWithResources> {
  const settings = await readOrFault(path, (found) => ({
    file: path,
    line: 1,
    column: 1,
    path: '',
    found,
    expected: readable,
  }));
  const map = toMap(settings.value);
  const named = typeof map.resources === 'string' ? map.resources : undefined;
  const resources =
    named === undefined
      ? settings
      : await readOrFault(beside(path, named), (found) =>
          settings.fault(['resources'], `${describeValue(named)}, ${found}`, readable),
        );
  return {
    settings,
    resources,
    written: { ...map, resources: toMap(resources.value).resources },
    faults: [
      ...settings.faults,
      ...shapeFaults(named === undefined ? whole : own, settings),
      ...(named === undefined ? [] : [...resources.faults, ...shapeFaults(resourcesFile, resources)]),
    ],
  };
}

/** The file that another names. */
export function beside(path: string, named: string): string {
  return isAbsolute(named) ? named : join(dirname(path), named);
}

/** A file that cannot be read is a fault like any other. */
export async function readOrFault(file: string, faultOf: (found: string) => Fault): Promise<YamlFile> {
  try {
    return await readYamlFile(file);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const fault = faultOf(error.found);
    return { value: undefined, faults: [fault], fault: () => fault };
  }
}
