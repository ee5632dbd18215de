import { InvalidArgumentError } from 'commander';
import { InvalidDuration, parseDuration } from '../shared/config/duration.ts';

/** For an option that takes a duration: its seconds. */
export function durationSeconds(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof InvalidDuration)) throw error;
    throw new InvalidArgumentError('Give a duration such as 30s, 10m or 1h30m.');
  }
}

export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number < Infinity)) throw new InvalidArgumentError('Give a number above 0.');
  return number;
}

export function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('Give a port from 0 to 65535.');
  return port;
}
