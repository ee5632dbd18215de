import type { Instant } from './model.ts';

const dayMilliseconds = 86_400_000;

/** Start of the UTC day or month that holds `now`. */
export function periodStart(now: Instant, per: 'day' | 'month'): Instant {
  const day = Math.floor(now / dayMilliseconds);
  return (per === 'day' ? day : day - dayOfMonth(day) + 1) * dayMilliseconds;
}

/**
 * Day of the month, from 1, of a day counted from 1970-01-01. The core has no `Date`; this is "civil_from_days" of
 * H. Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so the leap day comes last.
 */
function dayOfMonth(day: number): number {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  return dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
}
