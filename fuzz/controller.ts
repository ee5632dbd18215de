import { ReferenceController } from '../onprem/controller.ts';
import type { Lease } from '../onprem/leases.ts';
import type { ControllerState } from '../onprem/state.ts';
import { totalsLease } from '../shared/contracts/controller.ts';

/** A controller whose copy takes its place, and whose lease somebody else takes. */
export class FallibleController extends ReferenceController {
  get leaseEpoch(): number {
    return this.state().leases[totalsLease]?.epoch ?? 0;
  }

  /** Answers the resources whose totals have gone back. */
  fallBackTo({ totals }: ControllerState): string[] {
    const now = this.state().totals;
    const older = Object.entries(totals).filter(([name, total]) => now[name]?.sequence !== total.sequence);
    for (const [resource, total] of older) this.apply({ kind: 'total', at: this.now, resource, total });
    return older.map(([name]) => name);
  }

  /** Another deployment owns the totals for a while. */
  loseLease(ttlSeconds: number): void {
    const { leases } = this.state();
    const lease: Lease = {
      holder: 'standby',
      epoch: (leases[totalsLease]?.epoch ?? 0) + 1,
      expiresAt: this.now + ttlSeconds * 1000,
    };
    this.apply({ kind: 'lease', at: this.now, name: totalsLease, lease });
  }
}
