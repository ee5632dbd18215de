import { randomSource } from '../shared/traces/random.ts';

/** What one step of one seed draws. Steps draw apart, so a step that is left out changes nothing in what the others draw. */
export class Draw {
  readonly random: () => number;

  constructor(seed: number, step: number) {
    // Odd factors far apart, so that neighbouring seeds and steps begin far from each other.
    this.random = randomSource(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b));
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low + 1));
  }

  of<T>(first: T, ...others: readonly T[]): T {
    const index = Math.floor(this.random() * (others.length + 1));
    return index === 0 ? first : (others[index - 1] ?? first);
  }

  /** One of a list; `undefined` of an empty one. */
  pick<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.random() * values.length)];
  }

  happens(chance: number): boolean {
    return this.random() < chance;
  }
}
