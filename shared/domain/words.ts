import type { Tokens } from './model.ts';

/** `1 token`, `32 tokens`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** A duration as people say it: `84 s`, `10 min`, `2 h 30 min`, `3 d`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 120) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} d`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** `1 hfss_solve + 32 hfsshpc`, in a fixed order whatever order the keys came in. */
export function needsInWords(needs: Readonly<Record<string, Tokens>>): string {
  return Object.entries(needs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, tokens]) => `${tokens} ${resource}`)
    .join(' + ');
}
