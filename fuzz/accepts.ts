import { callLifetimeSeconds } from '../shared/adapters/signing/call-token.ts';
import type { Instant } from '../shared/domain/model.ts';

/** By how much a call may come from the future, as the receivers of signed calls have it (`signing/call-token.ts`). */
const clockErrorSeconds = 30;

/** Whether a party would admit a call that was signed then, by the caller's clock. */
export function admits(signedAt: Instant, receivedAt: Instant): boolean {
  const ageSeconds = (receivedAt - signedAt) / 1000;
  return ageSeconds < callLifetimeSeconds && ageSeconds >= -clockErrorSeconds;
}
