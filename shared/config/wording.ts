import * as z from 'zod';
import { oneOf } from './nearest.ts';

type RawIssue = z.core.$ZodRawIssue;

/** What zod calls the kinds of value, in the words of a person who writes YAML. */
const kinds: Readonly<Record<string, string>> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
};

/** zod's error map: says what was expected. For unknown keys it has one line for each key. */
export function expectation(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.inst instanceof z.ZodNumberFormat ? kinds.int : kinds[issue.expected];
    case 'invalid_value':
      return oneOf(issue.values.map(String), issue.input);
    case 'too_small':
      return issue.origin === 'array' ? 'at least one entry' : `at least ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    case 'unrecognized_keys':
      return issue.keys.map((key) => oneOf(absentKeys(issue), key)).join('\n');
    default:
      return undefined;
  }
}

/** The keys that a map may have besides those that it has: only these can have been meant. */
function absentKeys({ inst, input }: RawIssue): string[] {
  const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  return known.filter((key) => !Object.hasOwn(Object(input), key));
}

/** A value that was found, short enough for one line. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'number') return String(value); // JSON has no NaN
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
