/** The contract that a provider offers: the schemas are the source of docs/openapi/provider.json. */
import * as z from 'zod';
import { identifier, isoTime, positiveTokens, resourceName, seconds, siteName, tokens } from './common.ts';

export const grantTerms = z.object({
  block: positiveTokens.describe('Tokens are lent and taken back in multiples of this'),
  minimumHoldSeconds: seconds.describe('No return before this long after the grant was made'),
  partialReturns: z.boolean(),
  leaseSeconds: seconds
    .optional()
    .describe('The grant ends this long after it was made or renewed; absent: it has no end'),
  costPerTokenHour: z.number().min(0).max(1e9),
});

export const offer = grantTerms.extend({
  resource: resourceName,
  maximum: tokens.describe('Most tokens lent to one site at once'),
});

/** GET /v1/describe */
export const description = z.object({
  name: z.string().min(1).max(64),
  revision: z.string().min(1).max(128).describe('Changes whenever anything else here does'),
  offers: z.array(offer).max(5_000),
});

/** PUT /v1/grants/{id} */
export const grantRequest = z.object({ site: siteName, resource: resourceName, tokens: positiveTokens });
export type GrantRequest = z.infer<typeof grantRequest>;

/** Answer to PUT /v1/grants/{id} and GET /v1/grants/{id}. `granted` may be fewer than asked, never more. */
export const grant = z.discriminatedUnion('state', [
  z.object({
    id: identifier,
    state: z.literal('granted'),
    site: siteName,
    resource: resourceName,
    tokens: positiveTokens.describe('Still lent'),
    ageSeconds: seconds,
    recalled: z.object({ withinSeconds: seconds.optional() }).optional(),
    terms: grantTerms,
    revision: z.string(),
    expiresInSeconds: seconds.optional(),
  }),
  z.object({
    id: identifier,
    state: z.literal('pending'),
    site: siteName,
    resource: resourceName,
    tokens: positiveTokens,
    ageSeconds: seconds,
    terms: grantTerms,
  }),
  z.object({
    id: identifier,
    state: z.literal('refused'),
    site: siteName,
    resource: resourceName,
    reason: z.string(),
    retryAfterSeconds: seconds.optional(),
  }),
  z.object({
    id: identifier,
    state: z.literal('ended'),
    site: siteName,
    resource: resourceName,
    endedAt: isoTime.optional(),
  }),
]);
export type GrantAnswer = z.infer<typeof grant>;

/** GET /v1/grants?site= : open grants and those that ended lately */
export const grantList = z.object({ site: siteName, grants: z.array(grant).max(10_000) });

/** POST /v1/grants/{id}/return. The same return id twice is one return. Of an id that the provider never saw: the id is ended. */
export const returnRequest = z.object({ returnId: identifier, tokens: positiveTokens });
export const returnAnswer = z.object({
  id: identifier,
  returnId: identifier,
  tokens: tokens.describe('Still lent under this grant'),
});

/** POST /v1/grants/{id}/renew */
export const renewAnswer = z.object({ id: identifier, leaseSeconds: seconds });

/** POST /v1/grants/{id}/recall, for the provider's own operator. The answer is the grant. */
export const recallRequest = z.object({
  withinSeconds: seconds.exactOptional().describe('When the tokens are wanted back; absent: when the site can'),
});
