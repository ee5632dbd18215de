import type { Instant, Tokens } from '../domain/model.ts';
import type { LicenceEvent, UsageEvent } from './licence-event.ts';

export interface FeatureStatistics {
  readonly feature: string;
  readonly checkouts: number;
  /** Most tokens out at once. */
  readonly peak: Tokens;
  /** When the peak was first reached; absent where nothing was ever out. */
  readonly peakAt?: Instant;
  /** Tokens out × hours, from the feature's first event to its last. */
  readonly tokenHours: number;
  /** Tokens out after the last event. */
  readonly stillOut: Tokens;
}

/**
 * Use per feature, sorted by name. A check-in counts against its feature whoever brings it, never below zero; nothing is
 * added after a feature's last event; the start of a vendor daemon brings its features to zero.
 */
export function featureStatistics(events: Iterable<LicenceEvent>): FeatureStatistics[] {
  const counters = new Map<string, FeatureCounter>();
  for (const event of events) {
    if (event.kind === 'start') {
      for (const counter of counters.values()) if (counter.daemon === event.daemon) counter.restart(event.at);
      continue;
    }
    if (event.kind === 'denied') continue;
    const counter = counters.get(event.feature) ?? new FeatureCounter(event);
    counters.set(event.feature, counter);
    if (event.kind === 'out') counter.checkOut(event);
    else counter.checkIn(event);
  }
  return [...counters]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([feature, counter]) => counter.result(feature));
}

class FeatureCounter {
  readonly daemon: string;
  #out: Tokens = 0;
  #changedAt: Instant;
  #checkouts = 0;
  #peak: Tokens = 0;
  #peakAt: Instant | undefined;
  #tokenMilliseconds = 0;

  constructor(first: UsageEvent) {
    this.daemon = first.daemon;
    this.#changedAt = first.at;
  }

  checkOut({ at, tokens }: UsageEvent): void {
    this.#change(at, this.#out + tokens);
    this.#checkouts += 1;
    if (this.#out <= this.#peak) return;
    this.#peak = this.#out;
    this.#peakAt = at;
  }

  checkIn({ at, tokens }: UsageEvent): void {
    this.#change(at, Math.max(0, this.#out - tokens));
  }

  restart(at: Instant): void {
    this.#change(at, 0);
  }

  result(feature: string): FeatureStatistics {
    return {
      feature,
      checkouts: this.#checkouts,
      peak: this.#peak,
      ...(this.#peakAt === undefined ? {} : { peakAt: this.#peakAt }),
      tokenHours: this.#tokenMilliseconds / 3_600_000,
      stillOut: this.#out,
    };
  }

  #change(at: Instant, out: Tokens): void {
    this.#tokenMilliseconds += this.#out * (at - this.#changedAt);
    this.#changedAt = at;
    this.#out = out;
  }
}
