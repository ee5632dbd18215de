import type { Instant } from '../domain/model.ts';

/** Between the starts of two passes that demand has called for. A steady stream of calls gives one pass in this time. */
export const demandWindowMilliseconds = 1_000;

/**
 * A start this far ahead was written under a wrong clock, since no call takes so long; it is ignored, or demand would
 * call for no pass until that time has come. As long as the scheduled passes' period, which bounds the delay anyway.
 */
export const clockErrorMilliseconds = 60_000;

/**
 * `first`: start a pass now. `joinAt`: wait until then and start one. `joined`: do nothing, a pass that somebody else
 * was told to start begins later than this call.
 */
export type DemandAnswer = 'first' | { readonly joinAt: Instant } | 'joined';

/**
 * Coalesces calls of "demand waits". Each start of a pass opens a window; the first call in it is told to start one
 * more pass at its end, all others in it have joined that one. So every call is followed by the start of a pass, at
 * most a window later by one clock, and starts are at least a window apart, however many callers there are. (A caller
 * that dies before it starts its pass leaves the calls that joined it to the next scheduled pass.)
 */
export interface DemandWindow {
  enter(now: Instant): Promise<DemandAnswer>;
}
