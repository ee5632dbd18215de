import { isInjected, noAnswer } from '../../shared/simulation/faults.ts';
import type { Around, PortCall } from '../../shared/simulation/port-calls.ts';
import { timeout, type Answer, type CallNumbers, type PendingCall } from './calls.ts';

interface Waiting extends PendingCall {
  readonly settle: (answer: Answer) => void;
}

export interface PhaseRunOptions {
  readonly numbers: CallNumbers;
  /** Tells from the stack of a call where in the code it is made. */
  readonly placeOf: () => string;
}

/** The real pass, or the real push, under way: its calls wait until they are answered one by one. */
export class PhaseRun {
  readonly #waiting: Waiting[] = [];
  #end: { readonly error?: unknown } | undefined;

  private constructor(program: (around: Around) => Promise<unknown>, { numbers, placeOf }: PhaseRunOptions) {
    program(
      (call) =>
        new Promise((resolve) => {
          const settle = (answer: Answer): void => resolve(answerTo(call, answer));
          this.#waiting.push({ ...numbers.pending(call, placeOf()), settle });
        }),
    ).then(
      () => (this.#end = {}),
      (error: unknown) => (this.#end = { error }),
    );
  }

  /** Up to its first calls. */
  static async of(program: (around: Around) => Promise<unknown>, options: PhaseRunOptions): Promise<PhaseRun> {
    const run = new PhaseRun(program, options);
    await untilNothingMoves();
    return run;
  }

  /** Throws what the code throws for no fault from outside. */
  get hasEnded(): boolean {
    if (this.#end?.error !== undefined && !isInjected(this.#end.error)) throw this.#end.error;
    return this.#end !== undefined;
  }

  get pending(): readonly PendingCall[] {
    return this.#waiting.map(({ number, call, place }) => ({ number, call, place }));
  }

  /** Up to where the code can do nothing more without another answer. */
  async answer({ number, call }: PendingCall, answer: Answer): Promise<void> {
    const index = this.#waiting.findIndex((one) => one.number === number);
    const [waiting] = this.#waiting.splice(index, index < 0 ? 0 : 1);
    if (waiting === undefined)
      throw new Error(`answering ${call.method}: it was not called; is the code not deterministic?`);
    waiting.settle(answer);
    await untilNothingMoves();
  }
}

async function answerTo(call: PortCall, { number, value }: Answer): Promise<never> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer to this very call
  return number === timeout.number ? noAnswer(call) : (value as never);
}

/** Between two calls the code only awaits what is settled already, so by the next turn of the loop all of it has run. */
function untilNothingMoves(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
