import { backoffSeconds, maxBackoffSeconds, maxRetryAfterSeconds } from './limits.ts';
import type { Backoff, Instant } from './model.ts';

/** How long a provider that has just refused is not asked again: twice as long with each refusal in a row. */
export function nextBackoff(previous: Backoff | undefined, at: Instant, retryAfterSeconds = 0): Backoff {
  const refusals = (previous?.refusals ?? 0) + 1;
  // The exponent is bounded, so that no number of refusals makes the pause infinite before it is capped.
  const own = Math.min(maxBackoffSeconds, backoffSeconds * 2 ** Math.min(refusals - 1, 20));
  const pause = Math.max(own, Math.min(retryAfterSeconds, maxRetryAfterSeconds));
  return { until: at + pause * 1000, refusals };
}
