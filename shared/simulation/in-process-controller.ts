/** The reference controller in the same process, without HTTP: for simulations. */
import type { ReferenceController } from '../../onprem/controller.ts';
import { NotElasticError, UnknownResourceError } from '../../onprem/errors.ts';
import type { Observation } from '../domain/model.ts';
import type { Clock, Controller, LeaseOutcome, TotalOutcome, TotalReceiver, TotalUpdate } from '../ports.ts';
import { totalsLease } from '../contracts/controller.ts';

/** What the pass asks of the controller. */
export class InProcessController implements Controller {
  readonly #controller: ReferenceController;
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #ttlSeconds: number;

  constructor(options: { controller: ReferenceController; clock: Clock; holder: string; ttlSeconds: number }) {
    this.#controller = options.controller;
    this.#clock = options.clock;
    this.#holder = options.holder;
    this.#ttlSeconds = options.ttlSeconds;
  }

  async observe(peakWindowSeconds: number): Promise<Observation> {
    return this.#controller.observe(peakWindowSeconds, this.#clock.now());
  }

  async acquireLease(): Promise<LeaseOutcome> {
    return this.#controller.acquireLease(totalsLease, this.#holder, this.#ttlSeconds, this.#clock.now());
  }
}

/** What the push asks of the controller. */
export class InProcessTotalReceiver implements TotalReceiver {
  readonly #controller: ReferenceController;
  readonly #clock: Clock;

  constructor(options: { controller: ReferenceController; clock: Clock }) {
    this.#controller = options.controller;
    this.#clock = options.clock;
  }

  async setTotal(update: TotalUpdate): Promise<TotalOutcome> {
    try {
      return this.#controller.setTotal(update, this.#clock.now());
    } catch (error) {
      if (!(error instanceof UnknownResourceError || error instanceof NotElasticError)) throw error;
      return { outcome: 'refused', detail: error.message };
    }
  }
}
