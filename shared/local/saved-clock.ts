import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scaledClock } from '../adapters/system-clock.ts';
import type { Instant } from '../domain/model.ts';
import type { Clock } from '../ports.ts';
import { writeDurably } from './write-durably.ts';

const saveEveryMilliseconds = 1_000;

/**
 * The time of a local run, which may pass faster than the world's. It is kept in the data directory, so that a second
 * start goes on from where the first one was.
 */
export interface SavedClock extends Clock {
  /** The run has been started before. */
  readonly continued: boolean;
  /** Keeps the time that has been reached. */
  close(): Promise<void>;
}

export async function savedClock(directory: string, begin: Instant, speed: number): Promise<SavedClock> {
  const file = join(directory, 'clock.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const saved: { now: Instant } | undefined = text === undefined ? undefined : JSON.parse(text);
  const clock = scaledClock(saved?.now ?? begin, speed);
  const save = (now: Instant): Promise<void> => writeDurably(file, JSON.stringify({ now }));
  let saving = Promise.resolve();
  // What a kill leaves behind must not lie before anything that happened, so the time of the next save is kept.
  const timer = setInterval(() => {
    saving = save(clock.now() + 2 * saveEveryMilliseconds * speed).catch(() => undefined);
  }, saveEveryMilliseconds);
  return {
    ...clock,
    continued: saved !== undefined,
    close: async () => {
      clearInterval(timer);
      await saving;
      await save(clock.now());
    },
  };
}
