import type { Instant } from '../../domain/model.ts';

const dayMilliseconds = 86_400_000;
/** The hour of an autumn daylight-saving change, and a minute for lines that overtake one another. */
const largestStepBackMilliseconds = 61 * 60_000;

/**
 * Gives the lines of a log, which carry a time of day only, their instants. Wall clock is read as UTC, so that days have
 * 24 hours: across a daylight-saving change an interval is an hour long or short.
 */
export class LogClock {
  #now: Instant = largestStepBackMilliseconds;

  /** Of the line read last; until a date is set, counted from midnight of the first line's day. */
  get now(): Instant {
    return this.#now;
  }

  /**
   * Goes on to a line's time of day. A time earlier than the line before is a step back where it is small and a midnight
   * where it is not: daemons write a line at least each six hours, so no pause looks like a step back.
   */
  advanceTo(secondOfDay: number): void {
    const earliest = this.#now - largestStepBackMilliseconds;
    const sinceMidnight = modulo(earliest, dayMilliseconds);
    this.#now = earliest + modulo(secondOfDay * 1_000 - sinceMidnight, dayMilliseconds);
  }

  /** Takes the date that the present line tells, and answers by how much that moved `now`. */
  setDate(midnight: Instant): number {
    const shift = midnight + modulo(this.#now, dayMilliseconds) - this.#now;
    this.#now += shift;
    return shift;
  }
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
