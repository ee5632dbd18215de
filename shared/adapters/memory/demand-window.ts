import type { Instant } from '../../domain/model.ts';
import {
  clockErrorMilliseconds,
  demandWindowMilliseconds,
  type DemandAnswer,
  type DemandWindow,
} from '../demand-window.ts';

export class MemoryDemandWindow implements DemandWindow {
  /** Start of the latest pass that anybody was told to start. */
  #startsAt = -Infinity;

  async enter(now: Instant): Promise<DemandAnswer> {
    if (this.#startsAt <= now - demandWindowMilliseconds || this.#startsAt > now + clockErrorMilliseconds) {
      this.#startsAt = now;
      return 'first';
    }
    if (this.#startsAt > now) return 'joined';
    this.#startsAt += demandWindowMilliseconds;
    return { joinAt: this.#startsAt };
  }
}
