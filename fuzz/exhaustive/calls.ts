/** Calls of passes and pushes, and their answers, each with a number of its own, so that states are small. */
import type { PortCall } from '../../shared/simulation/port-calls.ts';
import { Interner } from './interner.ts';

/** A call that has been made and not yet answered. */
export interface PendingCall {
  readonly number: number;
  readonly call: PortCall;
  /** Where in the code it is made. */
  readonly place: string;
}

export interface Answer {
  readonly number: number;
  readonly value: unknown;
}

/** The call took effect, and no answer came. */
export const timeout: Answer = { number: -1, value: undefined };

/** Calls that change nothing, whatever they find. */
const reads: ReadonlySet<PortCall['method']> = new Set(['read', 'observe', 'list', 'describe', 'totalChanged']);

export function isRead({ method }: PortCall): boolean {
  return reads.has(method);
}

/** The numbers of one search. */
export class CallNumbers {
  readonly #calls = new Interner<PortCall>();
  readonly #answers = new Interner<unknown>();

  pending(made: PortCall, place: string): PendingCall {
    const number = this.#calls.number(made, JSON.stringify(made));
    return { number, call: this.#calls.value(number), place };
  }

  answer(given: unknown): Answer {
    const number = this.#answers.number(given, JSON.stringify([given]));
    return { number, value: this.#answers.value(number) };
  }
}
