import { hash } from 'node:crypto';

/** Gives equal values the same small number. Keys are kept as digests, as they are long and many. */
export class Interner<Value> {
  readonly #numbers = new Map<string, number>();
  readonly #values: { readonly value: Value }[] = [];

  /** `key`: the same for equal values, and for no others. */
  number(value: Value, key: string): number {
    const digest = hash('sha256', key, 'base64');
    const known = this.#numbers.get(digest);
    if (known !== undefined) return known;
    const number = this.#values.length;
    this.#numbers.set(digest, number);
    this.#values.push({ value });
    return number;
  }

  /** The first of the equal values that got this number. */
  value(number: number): Value {
    const found = this.#values[number];
    if (found === undefined) throw new RangeError(`looking up number ${number}: it was not given`);
    return found.value;
  }
}
