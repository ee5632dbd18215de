import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now(), sleep: wait };

/** A clock that runs `speed` times as fast as the machine's, from `start` on. */
export function scaledClock(start: number, speed: number): Clock {
  const begin = performance.now();
  return {
    now: () => Math.round(start + (performance.now() - begin) * speed),
    sleep: (milliseconds, signal) => wait(milliseconds / speed, signal),
  };
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal });
}
