/** What the promises' checks are made of. A check is fed what happens and throws where its promise is broken. */
import type { Instant } from '../../shared/domain/model.ts';
import type { PortCall } from '../../shared/simulation/port-calls.ts';
import type { Sight } from './sight.ts';

export class PromiseBroken extends Error {
  override readonly name = 'PromiseBroken';
  readonly number: number;
  readonly title: string;
  readonly at: Instant;
  readonly detail: string;

  constructor(number: number, title: string, at: Instant, detail: string) {
    super(`promise ${number} (${title}) is broken at ${new Date(at).toISOString()}: ${detail}`);
    this.number = number;
    this.title = title;
    this.at = at;
    this.detail = detail;
  }
}

/** A call that has been answered. `sent`: the world right after the call was made. */
export interface Answered {
  readonly call: PortCall;
  readonly answer: unknown;
  readonly before: Sight;
  readonly sent: Sight;
}

/** What one pass or push has done when it ends. */
export interface Run {
  readonly kind: 'reconcile' | 'push';
  readonly calls: readonly PortCall[];
  /** Most grants that have been open at once. */
  readonly mostGrants: number;
}

export interface Check {
  /** The world at an instant: each time something has changed, or is about to. */
  seen?(sight: Sight): void;
  /** A call that takes effect now; nothing has changed yet. */
  called?(call: PortCall, sight: Sight): void;
  answered?(answered: Answered): void;
  ended?(run: Run, at: Instant): void;
}

/** The controller accepted the total that it was told. */
export function isApplied(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'outcome' in answer && answer.outcome === 'applied';
}

/** Throws for one promise. */
export function breaker(number: number, title: string): (at: Instant, detail: string) => never {
  return (at, detail) => {
    throw new PromiseBroken(number, title, at, detail);
  };
}
