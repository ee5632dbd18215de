import type { Instant } from '../../domain/model.ts';
import type { LicenceEvent } from '../licence-event.ts';
import { LogClock } from './clock.ts';
import { dateIn, eventIn, parseLogLine } from './line.ts';

export interface FlexnetEvents {
  /** In the order of the log, which is that of time but for small steps back. */
  readonly events: LicenceEvent[];
  /** Of the last line. */
  readonly endsAt: Instant;
  readonly lines: number;
  readonly linesNotUnderstood: number;
  /** False: no line told a date, and the log's first day is taken as 1970-01-01. */
  readonly dated: boolean;
}

/** Reads a FlexNet debug log line by line. What comes before the first date is dated back from it. */
export async function readFlexnetEvents(lines: AsyncIterable<string>): Promise<FlexnetEvents> {
  const clock = new LogClock();
  let events: LicenceEvent[] = [];
  let lineCount = 0;
  let linesNotUnderstood = 0;
  let dated = false;
  for await (const text of lines) {
    lineCount += 1;
    if (text.trim() === '') continue;
    const line = parseLogLine(text);
    if (line === undefined) {
      linesNotUnderstood += 1;
      continue;
    }
    clock.advanceTo(line.secondOfDay);
    const midnight = dateIn(line.message);
    if (midnight !== undefined) {
      const shift = clock.setDate(midnight);
      if (!dated) events = events.map((event) => ({ ...event, at: event.at + shift }));
      dated = true;
    }
    const event = eventIn(line, clock.now);
    if (event === 'not-understood') linesNotUnderstood += 1;
    else if (event !== undefined) events.push(event);
  }
  return { events, endsAt: clock.now, lines: lineCount, linesNotUnderstood, dated };
}
