import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scaledClock } from '../adapters/system-clock.ts';
import type { Instant } from '../domain/model.ts';
import type { Clock } from '../ports.ts';
import { writeDurably } from './write-durably.ts';

const saveEveryMilliseconds = 1_000;

/**
 * The time of a local run, which may pass faster than the world's. It is kept in the data directory, so that a second
 * start goes on from where the first one was. It stands still until it is started.
 */
export interface SavedClock extends Clock {
  /** It has been started before. */
  readonly continued: boolean;
  start(): Promise<void>;
  /** Keeps the time that has been reached. */
  close(): Promise<void>;
}

export async function savedClock(directory: string, begin: Instant, speed: number): Promise<SavedClock> {
  const file = join(directory, 'clock.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const saved: { now: Instant } | undefined = text === undefined ? undefined : JSON.parse(text);
  const from = saved?.now ?? begin;
  const scaled = scaledClock(from, speed);
  let running: Clock | undefined;
  let timer: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();
  const now = (): Instant => running?.now() ?? from;
  const save = (instant: Instant): Promise<void> => writeDurably(file, JSON.stringify({ now: instant }));
  // What a kill leaves behind must not lie before anything that happened, so the time of the next save is kept.
  const saveAhead = (): Promise<void> => save(now() + 2 * saveEveryMilliseconds * speed);
  return {
    now,
    sleep: (milliseconds, signal) => scaled.sleep(milliseconds, signal),
    continued: saved !== undefined,
    async start() {
      await saveAhead();
      running = scaledClock(from, speed);
      timer = setInterval(() => {
        saving = saveAhead().catch(() => undefined);
      }, saveEveryMilliseconds);
    },
    async close() {
      clearInterval(timer);
      await saving;
      if (running !== undefined) await save(now());
    },
  };
}
