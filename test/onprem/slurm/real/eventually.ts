import { setTimeout as sleep } from 'node:timers/promises';

const lookEveryMilliseconds = 100;

/** Looks until there is something to be seen; a look that fails has seen nothing. The time is for a machine with much else to do. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  withinSeconds = 180,
): Promise<T> {
  const end = Date.now() + withinSeconds * 1000;
  let last: unknown;
  while (Date.now() < end) {
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
      last = seen;
    } catch (error) {
      last = error;
    }
    await sleep(lookEveryMilliseconds);
  }
  throw new Error(`waiting until ${what}: not so after ${withinSeconds} s; the last look: ${String(last)}`);
}
