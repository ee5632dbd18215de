import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scaledClock, systemClock } from '../adapters/system-clock.ts';
import type { Instant } from '../domain/model.ts';
import type { Clock, Log } from '../ports.ts';
import { readKept } from './read-kept.ts';
import { writeDurably } from './write-durably.ts';

const saveEveryMilliseconds = 1_000;

/**
 * The time of a local run, which may pass faster than the world's. It is kept in the data directory, so that a second
 * start goes on from where the first one was. It stands still until it is started.
 */
export interface SavedClock extends Clock {
  /** It has been started before. */
  readonly continued: boolean;
  /** Throws `FileNotWritten`. */
  start(): Promise<void>;
  /** Keeps the time that has been reached. Throws `FileNotWritten`. */
  close(): Promise<void>;
}

/**
 * Real time, for a run whose controller keeps that: the ends of grants that the site tells it must be instants of its own
 * time. Throws `FileUnusable`.
 */
export async function realClock(directory: string): Promise<SavedClock> {
  const file = join(directory, 'clock.json');
  const saved = await readKept<{ now: Instant }>(file);
  return {
    ...systemClock,
    continued: saved !== undefined,
    start: () => writeDurably(file, JSON.stringify({ now: systemClock.now() })),
    close: async () => {},
  };
}

/** `begin`: the time of a first start. Throws `FileUnusable`. */
export async function savedClock({
  directory,
  begin,
  speed,
  log,
}: {
  directory: string;
  begin: Instant;
  speed: number;
  log: Log;
}): Promise<SavedClock> {
  const file = join(directory, 'clock.json');
  const saved = await readKept<{ now: Instant }>(file);
  const from = saved?.now ?? begin;
  const scaled = scaledClock(from, speed);
  let running: Clock | undefined;
  let saving = Promise.resolve();
  const stop = new AbortController();
  const now = (): Instant => running?.now() ?? from;
  const save = (instant: Instant): Promise<void> => writeDurably(file, JSON.stringify({ now: instant }));
  // What a kill leaves behind must not lie before anything that happened, so the time of the next save is kept.
  const saveAhead = (): Promise<void> => save(now() + 2 * saveEveryMilliseconds * speed);
  const keepSaving = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await sleep(saveEveryMilliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
      if (stop.signal.aborted) return;
      await saveAhead().catch((error: unknown) => log.warn('keeping the time failed', { error: String(error) }));
    }
  };
  return {
    now,
    sleep: (milliseconds, signal) => scaled.sleep(milliseconds, signal),
    continued: saved !== undefined,
    async start() {
      await saveAhead();
      running = scaledClock(from, speed);
      saving = keepSaving();
    },
    async close() {
      stop.abort();
      await saving;
      if (running !== undefined) await save(now());
    },
  };
}
