import { setTimeout as sleep } from 'node:timers/promises';
import type { Observation } from '../domain/model.ts';
import type { Clock, Controller, Log } from '../ports.ts';
import { SharedRead } from './shared-read.ts';

/** People who look at the site wait no longer, by their own time; they see the last observation, with its age. */
const patienceMilliseconds = 3_000;
/** Nobody who asks for the status needs peaks; this is the least of them. */
const peakWindowSeconds = 60;

/** What is known of the controller. */
export interface View {
  /** It answered just now. */
  readonly heard: boolean;
  /** Its last answer, however old; absent: there was none. */
  readonly observation?: Observation;
}

/** The controller as people see it: asked at most once a second, and remembered while it does not answer. */
export class ControllerView {
  readonly #controller: Pick<Controller, 'observe'>;
  readonly #log: Log;
  readonly #view: SharedRead<View>;
  #last: Observation | undefined;

  constructor({ controller, clock, log }: { controller: Pick<Controller, 'observe'>; clock: Clock; log: Log }) {
    this.#controller = controller;
    this.#log = log;
    this.#view = new SharedRead(clock, () => this.#look());
  }

  get(): Promise<View> {
    return this.#view.get();
  }

  async #look(): Promise<View> {
    const patience = new AbortController();
    try {
      const observation = await Promise.race([this.#observe(), this.#giveUp(patience.signal)]);
      return { heard: true, observation };
    } catch (error) {
      this.#log.warn('looking at the controller failed', { error: String(error) });
      return { heard: false, ...(this.#last && { observation: this.#last }) };
    } finally {
      patience.abort();
    }
  }

  /** An answer that comes too late for those who wait is remembered all the same. */
  async #observe(): Promise<Observation> {
    this.#last = await this.#controller.observe(peakWindowSeconds);
    return this.#last;
  }

  async #giveUp(signal: AbortSignal): Promise<never> {
    await sleep(patienceMilliseconds, undefined, { signal });
    throw new Error(`no answer within ${patienceMilliseconds} ms`);
  }
}
