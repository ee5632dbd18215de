import * as z from 'zod';
import { maxSeconds } from '../contracts/common.ts';

/** Seconds in each unit, in the order in which a duration writes them. */
const units = { d: 86_400, h: 3_600, m: 60, s: 1 };

const writtenForm = /^(?=.)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

export class InvalidDuration extends Error {
  override readonly name = 'InvalidDuration';
  readonly text: string;

  constructor(text: string) {
    super(`reading the duration ${JSON.stringify(text)}: expected ${expectedFor(text)}`);
    this.text = text;
  }
}

/**
 * Seconds of a duration as people write it: `90s`, `10m`, `1h30m`, `2h`, `1d`.
 * @throws InvalidDuration
 */
export function parseDuration(text: string): number {
  const counts = writtenForm.exec(text)?.slice(1);
  if (counts === undefined) throw new InvalidDuration(text);
  return Object.values(units).reduce((sum, size, index) => sum + Number(counts[index] ?? 0) * size, 0);
}

/** The shortest written form of whole seconds; `parseDuration` reads it back. */
export function formatDuration(wholeSeconds: number): string {
  let rest = wholeSeconds;
  const parts = Object.entries(units).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return parts.join('') || '0s';
}

/** A duration in a file. It stays in its written form, so that the file can be shown as people wrote it. */
export function duration({ least = '0s', most = longest } = {}) {
  const [leastSeconds, mostSeconds] = [parseDuration(least), parseDuration(most)];
  return z
    .string({ error: ({ input }) => expectedFor(input) })
    .regex(writtenForm, { error: ({ input }) => expectedFor(input), abort: true })
    .refine((text) => parseDuration(text) >= leastSeconds && parseDuration(text) <= mostSeconds, {
      error: `a duration from ${least} to ${most}`,
    });
}

/** What the contracts can carry. */
const longest = formatDuration(maxSeconds);

/** A bare number is the commonest mistake, and guessing its unit the costliest mend. */
function expectedFor(input: unknown): string {
  const bareNumber = /^\d+$/.exec(String(input))?.[0];
  return bareNumber === undefined
    ? 'a duration such as 90s, 10m, 1h30m, 2h or 1d'
    : `a unit with it: write ${bareNumber}s or ${bareNumber}m`;
}
