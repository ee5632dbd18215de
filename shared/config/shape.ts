import type * as z from 'zod';
import type { Fault } from './fault.ts';
import { describeValue, expectation } from './wording.ts';
import type { YamlFile } from './yaml-file.ts';
import type { Path } from './yaml-tree.ts';

/** Where the file departs from its schema. A text that is no YAML has faults of its own and no shape. */
export function shapeFaults(schema: z.ZodType, yaml: YamlFile): Fault[] {
  if (yaml.value === undefined) return [];
  const issues = schema.safeParse(yaml.value, { error: expectation }).error?.issues ?? [];
  return issues.flatMap((issue) => issueFaults(yaml, issue));
}

/** Of nothing there is nothing to see: `undefined`. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (hasOwn(value, step) ? value[step] : undefined), data);
}

function issueFaults(yaml: YamlFile, issue: z.core.$ZodIssue): Fault[] {
  const { path, message } = issue;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const expected = message.split('\n');
      return issue.keys.map((key, index) =>
        yaml.fault([...path, key], 'an unknown key', expected[index] ?? message, 'key'),
      );
    }
    case 'invalid_key':
      return issue.issues.map((inner) =>
        yaml.fault(path, `the name ${describeValue(path.at(-1))}`, inner.message, 'key'),
      );
    default:
      return [yaml.fault(path, describeValue(valueAt(yaml.value, path)), message)];
  }
}

function hasOwn(value: unknown, key: PropertyKey): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}
