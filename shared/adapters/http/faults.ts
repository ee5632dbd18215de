import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';

const most = 10;
const longest = 80;

/** What is wrong with `input`, one line a fault: at which path, what was expected and what was found. */
export function describeFaults(error: z.ZodError, input: unknown): string[] {
  const faults = error.issues.slice(0, most).map((issue) => {
    const path = toDotPath(issue.path);
    return `${path === '' ? 'body' : printable(path)}: ${printable(issue.message)}, found ${found(input, issue.path)}`;
  });
  const more = error.issues.length - faults.length;
  return more === 0 ? faults : [...faults, `and ${more} more`];
}

function found(input: unknown, path: readonly PropertyKey[]): string {
  const value = path.reduce<unknown>(
    (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    input,
  );
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isObject(value) ? 'an object' : printable(JSON.stringify(value));
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The other side's text, made fit for a log line: shortened, and nothing in it that a terminal obeys. */
export function printable(text: string): string {
  return visible(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** The other side's text with nothing in it that a terminal obeys or hides. */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
