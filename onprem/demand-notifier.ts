import type { Log } from '../shared/ports.ts';

/**
 * Tells the site that jobs wait. There is one call at a time; however many jobs begin to wait meanwhile, one call
 * follows it. A call that fails is not repeated: the site looks every minute anyway.
 */
export class DemandNotifier {
  readonly #send: () => Promise<void>;
  readonly #log: Log;
  readonly #start: (task: () => Promise<void>) => void;
  #calling: Promise<void> | undefined;
  #again = false;

  /** `start` is handed each run of calls, for whoever must know when it is over. */
  constructor(options: { send: () => Promise<void>; log: Log; start?: (task: () => Promise<void>) => void }) {
    this.#send = options.send;
    this.#log = options.log;
    this.#start = options.start ?? ((task) => void task());
  }

  /** Resolves when no call is under way any more; never rejects. */
  notify(): Promise<void> {
    if (this.#calling !== undefined) {
      this.#again = true;
      return this.#calling;
    }
    const calling = this.#call();
    this.#calling = calling;
    this.#start(() => calling);
    return calling;
  }

  async #call(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#send();
      } catch (error) {
        this.#log.warn('telling the site that jobs wait has failed', { error: String(error) });
      }
    } while (this.#again);
    this.#calling = undefined;
  }
}
