/**
 * Calls to a controller that can't be reached from outside: a function leaves its signed call here, the controller's side
 * fetches it, answers it as if it had come over HTTP, and brings the answer.
 */
import type { Instant } from '../domain/model.ts';

/** An HTTP request, signed as any other. */
export interface RelayedCall {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RelayedAnswer {
  readonly status: number;
  readonly contentType?: string;
  /** Compressed with gzip; empty: there is none. */
  readonly body: Uint8Array;
}

/** `late`: the caller waits no longer. */
export type AnswerOutcome = 'kept' | 'unknown' | 'late' | 'answered';

/** The side of the functions that call. */
export interface CallerSide {
  /** Leaves the call for whoever fetches it before `until`; answers its id. */
  leave(call: RelayedCall, until: Instant): Promise<string>;
  /** `undefined`: there is none yet. */
  answerTo(id: string): Promise<RelayedAnswer | undefined>;
}

/** The side of the function that the controller's side calls. */
export interface FetcherSide {
  /**
   * Takes the place of all who began before, so that a call that waits for nobody any more, such as that of a controller
   * which was started anew meanwhile, takes no call with it. Answers the name to take calls by.
   */
  begin(now: Instant): Promise<string>;
  /** The oldest calls that still wait, 10 at the most, each handed out once. `displaced`: somebody else has begun. */
  take(fetcher: string, now: Instant): Promise<readonly HandedOut[] | 'displaced'>;
  /** The first answer to a call that was handed out stands. */
  answer(id: string, answer: RelayedAnswer, now: Instant): Promise<AnswerOutcome>;
}

export interface HandedOut {
  readonly id: string;
  readonly call: RelayedCall;
}
