import type { Instant, Tokens, WaitingClass } from '../shared/domain/model.ts';

/** The scheduler behind the contract. It alone decides what runs; the controller tells it how many tokens there are. */
export interface Cluster {
  /** Does all that is due by `now`. */
  advance(now: Instant): void;
  /** Tokens that running jobs have been given. Throws `UnknownResourceError`. */
  inUse(resource: string): Tokens;
  /** In the order in which the jobs would start. */
  waiting(now: Instant): readonly WaitingClass[];
  /** From `now` on jobs start within this total. Below what is in use it stops starts and ends no job. */
  setTotal(resource: string, total: Tokens, now: Instant): void;
}

/** Told of every change of a resource's tokens in use or waiting. */
export type NeedListener = (resource: string, waiting: Tokens, now: Instant) => void;
