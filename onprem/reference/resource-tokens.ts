import type { ControlledResource } from '../../shared/config/derive.ts';
import type { Instant, Tokens } from '../../shared/domain/model.ts';

/** What a simulation prints of one resource. */
export interface ResourceStatistics {
  /** Jobs that could not start when they were submitted. */
  readonly jobsWaited: number;
  /** Tokens times the seconds for which jobs waited for them. */
  readonly waitTokenSeconds: number;
  readonly peakInUse: Tokens;
}

/** The tokens of one resource, and who has and wants them. */
export class ResourceTokens {
  readonly name: string;
  readonly ceiling: Tokens;
  total: Tokens;
  inUse: Tokens = 0;
  /** Tokens that waiting jobs want. */
  waiting: Tokens = 0;
  #jobsWaited = 0;
  #waitTokenSeconds = 0;
  #peakInUse = 0;

  constructor({ name, owned, ceiling }: ControlledResource) {
    this.name = name;
    this.ceiling = ceiling;
    this.total = owned;
  }

  take(tokens: Tokens): void {
    this.inUse += tokens;
    this.#peakInUse = Math.max(this.#peakInUse, this.inUse);
  }

  /** A job wanted these tokens from `since` to `until`. */
  countWait(tokens: Tokens, since: Instant, until: Instant): void {
    this.#jobsWaited += 1;
    this.#waitTokenSeconds += (tokens * (until - since)) / 1000;
  }

  get statistics(): ResourceStatistics {
    return { jobsWaited: this.#jobsWaited, waitTokenSeconds: this.#waitTokenSeconds, peakInUse: this.#peakInUse };
  }
}
