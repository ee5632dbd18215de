import type { Instant } from '../domain/model.ts';

/** RFC 3339 in UTC, with milliseconds only where there are some. */
export function rfc3339(instant: Instant): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
