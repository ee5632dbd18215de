/** The contract that a controller offers on premises: the schemas are the source of docs/openapi/controller.json. */
import * as z from 'zod';
import { counter, identifier, isoTime, problem, resourceName, seconds, siteName, tokens } from './common.ts';

/** Most buckets of recent peaks in one answer: a day of minutes. */
export const maxPeakBuckets = 1_441;
/** Most waiting classes in one answer. */
export const maxWaitingClasses = 10_000;
/** Most resources of a site. */
export const maxResources = 5_000;

export const recentPeaks = z.object({
  bucketSeconds: z.int().min(1).max(3_600),
  needs: z
    .array(tokens.nullable())
    .max(maxPeakBuckets)
    .describe(
      'Highest need (in use, by the larger of both counts, plus waiting) per bucket, oldest first, the last one current; null where nobody looked',
    ),
});

export const observedUse = z.object({
  inUse: tokens.describe('In use by the licence server’s own count'),
  issued: tokens.describe('Issued by the licence server'),
  at: isoTime.describe('When it was counted, by the controller’s clock'),
});

export const sharedResource = z.object({
  name: resourceName,
  total: tokens,
  epoch: counter.describe('Of the last accepted total update; 0 before the first'),
  sequence: counter.describe('Of the last accepted total update; 0 before the first'),
  inUse: tokens,
  observed: observedUse.optional(),
  recentPeaks,
});

export const waitingClass = z.object({
  jobs: z.int().min(1),
  needs: z.record(resourceName, tokens),
  waitingSeconds: seconds.describe('Since the longest-waiting job of the class began to wait'),
});

/** GET /v1/shared-resources?peakWindowSeconds= : as many whole minutes as fit into the buckets beside the current one. */
export const observeQuery = z.object({
  peakWindowSeconds: z.coerce
    .number()
    .int()
    .min(1)
    .max((maxPeakBuckets - 1) * 60)
    .default(3_600)
    .describe('How far back the recent peaks shall reach'),
});

export const sharedResources = z.object({
  site: siteName,
  controllerEpoch: counter.describe('Grows with each start of the controller'),
  at: isoTime,
  resources: z.array(sharedResource).max(maxResources),
  waiting: z
    .array(waitingClass)
    .max(maxWaitingClasses)
    .describe('In the order in which the scheduler would start them'),
});
export type SharedResources = z.infer<typeof sharedResources>;

/** The payload of the signed document (JWS, EdDSA) that PUT /v1/shared-resources/{name}/total carries as application/jose. */
export const totalDocument = z
  .object({
    site: siteName,
    resource: resourceName,
    owned: tokens,
    borrowed: tokens,
    total: tokens,
    epoch: counter,
    sequence: counter,
    expiries: z
      .array(z.object({ at: isoTime, tokens }))
      .max(1_000)
      .describe('Tokens that the controller leaves out of the total by itself from that time on'),
    issuedAt: isoTime,
  })
  .refine((document) => document.total === document.owned + document.borrowed, {
    message: 'total must be owned + borrowed',
    path: ['total'],
  });
export type TotalDocument = z.infer<typeof totalDocument>;

export const totalApplied = z.object({
  name: resourceName,
  total: tokens.describe('What is applied now'),
  inUse: tokens,
  epoch: counter,
  sequence: counter,
});
/** 409: the new total would be below what is in use; nothing was changed. */
export const belowInUse = problem.extend({ type: z.literal('below-in-use'), inUse: tokens });
/** 409: an update as new or newer was accepted before, or the lease has moved on; nothing was changed. */
export const staleTotal = problem.extend({ type: z.literal('stale'), epoch: counter, sequence: counter });

/**
 * The lease whose epoch fences total updates. One owner a site and not one a provider, because a total sums over all
 * providers.
 */
export const totalsLease = 'elastic-shared-resources';

/** PUT /v1/provider-leases/{provider} */
export const leaseRequest = z.object({ holder: identifier, ttlSeconds: z.int().min(1).max(86_400) });
export const leaseGranted = z.object({ epoch: counter, expiresInSeconds: seconds });
/** 409: somebody else holds the lease. */
export const leaseHeld = problem.extend({ type: z.literal('held'), holder: z.string() });

/** PUT /v1/shared-resources/{name}/observed */
export const observedReport = z.object({
  inUse: tokens,
  issued: tokens,
  source: z.string().min(1).max(256),
  at: isoTime,
});
