/** Leases say who owns something now. The epoch grows with each change of owner; time is the controller's clock alone. */
import type { Instant } from '../shared/domain/model.ts';

export interface Lease {
  readonly holder: string;
  readonly epoch: number;
  readonly expiresAt: Instant;
}

/** The lease as it is after `holder` asked for it: somebody else's while that has not expired. */
export function acquire(lease: Lease | undefined, holder: string, ttlSeconds: number, now: Instant): Lease {
  const expiresAt = now + ttlSeconds * 1000;
  if (lease === undefined) return { holder, epoch: 1, expiresAt };
  if (lease.holder === holder) return { ...lease, expiresAt };
  return now < lease.expiresAt ? lease : { holder, epoch: lease.epoch + 1, expiresAt };
}
