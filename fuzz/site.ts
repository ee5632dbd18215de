/** The site of a seed, and the jobs that are submitted to it. */
import { assembleSite, type LoadedSite } from '../shared/config/load.ts';
import type { Instant } from '../shared/domain/model.ts';
import type { TraceJob } from '../shared/traces/job.ts';
import type { Draw } from './draw.ts';

export const siteName = 'lab';
export const neighbourName = 'neighbour';

/** Two features, of which one or both are borrowed of two pools. */
export function drawSite(draw: Draw): LoadedSite {
  const offer = (): object => ({
    capacity: draw.of(8, 16, 64),
    block: draw.of(1, 1, 4),
    minimumHold: draw.of('0s', '2m', '5m'),
    partialReturns: draw.happens(0.5),
    costPerTokenHour: draw.of(0, 1, 2),
    ...(draw.happens(0.3) ? { lease: draw.of('15m', '20m', '1h') } : {}),
    ...(draw.happens(0.2) ? { maximum: draw.of(4, 8) } : {}),
  });
  const elastic = (): object => ({
    providers: ['burst', 'vendor'],
    providerOrder: draw.of('listed', 'cheapest'),
    maxBorrowed: draw.of(8, 24),
    maxStep: draw.of(4, 24),
    borrowAfter: draw.of('0s', '0s', '90s'),
    returnAfter: draw.of('2m', '2m', '10m'),
    headroom: draw.of(0, 0, 0, 2),
    linger: draw.of('0s', '0s', '2m'),
    onStale: draw.of('keep', 'ownedOnly'),
    staleAfter: draw.of('2m', '5m'),
    ...(draw.happens(0.3) ? { spendingCap: { amount: draw.of(1, 4, 20), per: 'day' } } : {}),
  });
  const resource = (total: number): object => ({ shared: true, total, elastic: elastic() });
  return assembleSite({
    site: siteName,
    providers: ['burst', 'vendor'].map((name) => ({
      name,
      kind: 'pool',
      offers: { hfsshpc: offer(), hfss_solve: offer() },
    })),
    resources: {
      hfsshpc: resource(8),
      hfss_solve: draw.happens(0.5) ? resource(2) : { shared: true, total: 2 },
    },
  });
}

/** Each fits into what is owned, so that every job ends at last. */
export function drawJobs(draw: Draw, submit: Instant): TraceJob[] {
  return Array.from({ length: draw.between(1, 4) }, () => ({
    submit,
    needs: { hfsshpc: draw.between(1, 8), ...(draw.happens(0.4) ? { hfss_solve: draw.between(1, 2) } : {}) },
    runSeconds: draw.of(draw.between(5, 90), draw.between(60, 600)),
  }));
}
