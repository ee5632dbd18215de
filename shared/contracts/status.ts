/** The contract of the status API, which only reads: the schemas are the source of docs/openapi/status.json. */
import * as z from 'zod';
import { counter, identifier, isoTime, resourceName, siteName, tokens } from './common.ts';
import { freezeState } from './freeze.ts';
import { offer } from './provider.ts';

const ageSeconds = z.int().min(0).describe('Age of the figures beside it, in whole seconds');
const stale = z.literal(true).optional().describe('The controller did not answer; these are the last figures it gave');

export const ledgerFigures = z
  .object({
    owned: tokens,
    borrowed: tokens,
    total: tokens.describe('owned + borrowed: what the controller shall apply'),
    grants: z.int().min(0).describe('Open grants, in whatever phase'),
    coming: tokens.describe('Requested, or granted and not yet in a total that the controller confirmed'),
    going: tokens.describe('Withdrawing or returning'),
    confirmed: z.boolean().describe('The controller applies this total'),
    ageSeconds,
  })
  .describe('By the ledger; where the resource has none, by the site file');
export type LedgerFigures = z.infer<typeof ledgerFigures>;

export const controllerFigures = z
  .object({
    total: tokens.describe('What the controller applies'),
    inUse: tokens.describe('Given to running jobs'),
    observedInUse: tokens.optional().describe('In use by the licence server’s own count'),
    observedAgeSeconds: z.int().min(0).optional().describe('Age of that count, in whole seconds'),
    waiting: counter.describe('Tokens that jobs would take now if they were there'),
    free: tokens.describe('total less what is in use by the larger of both counts'),
    ageSeconds,
    stale,
  })
  .describe('By the controller; absent while they are unknown');
export type ControllerFigures = z.infer<typeof controllerFigures>;

export const resourceStatus = z.object({
  name: resourceName,
  elastic: z.boolean().describe('Whether its total may be changed'),
  ledger: ledgerFigures,
  controller: controllerFigures.optional(),
  lastReason: z.string().optional().describe('Why it last borrowed, withdrew or otherwise decided to change, in words'),
  lastReasonAt: isoTime.optional(),
});
export type ResourceStatus = z.infer<typeof resourceStatus>;

/** GET /v1/resources */
export const resourceList = z.object({ site: siteName, resources: z.array(resourceStatus) });
export type ResourceList = z.infer<typeof resourceList>;

export const controllerState = z.object({
  heard: z.boolean().describe('It answered just now'),
  ageSeconds: ageSeconds.optional().describe('Age of its last answer; absent: none is known'),
  unheardSince: isoTime.optional().describe('The first pass that it did not answer since the last one that it did'),
});

/** GET /v1/site */
export const siteSummary = z.object({
  site: siteName,
  resources: z.array(z.object({ name: resourceName, elastic: z.boolean() })),
  providers: z.array(z.string()),
  controller: controllerState,
  frozen: freezeState.optional(),
});
export type SiteSummary = z.infer<typeof siteSummary>;

export const recall = z.object({
  kind: z.enum(['recalled', 'lost']).describe('lost: the provider no longer counts the tokens as ours'),
  by: isoTime.optional(),
});

export const grantStatus = z.object({
  id: identifier,
  provider: z.string(),
  phase: z.enum(['requested', 'granted', 'active', 'withdrawing', 'returning']),
  tokens: tokens.describe('Asked for while requested, lent from then on'),
  going: tokens.describe('Of these, on their way back'),
  requestedAt: isoTime,
  holdUntil: isoTime.optional().describe('None is returned before'),
  expiresAt: isoTime.optional(),
  recalled: recall.optional(),
  costPerTokenHour: z.number().min(0),
  costSoFar: z.number().min(0).describe('Of the tokens still lent, since they were granted'),
});
export type GrantStatus = z.infer<typeof grantStatus>;

/** GET /v1/resources/{name}/grants: the open ones. Those that ended are in the history. */
export const openGrants = z.object({ resource: resourceName, grants: z.array(grantStatus), ageSeconds });
export type OpenGrants = z.infer<typeof openGrants>;

export const providerStatus = z.object({
  name: z.string(),
  description: z
    .object({ revision: z.string(), offers: z.array(offer), ageSeconds })
    .optional()
    .describe('Its terms as it last gave them; absent before the first time'),
  resources: z
    .array(
      z.object({
        name: resourceName,
        requested: tokens.describe('Asked for, the answer not known'),
        lent: tokens,
        notAskedBefore: isoTime.optional().describe('It refused lately; this is when it may be asked again'),
      }),
    )
    .describe('Those that it may lend or has lent'),
});
export type ProviderStatus = z.infer<typeof providerStatus>;

/** GET /v1/providers */
export const providerList = z.object({ providers: z.array(providerStatus), ageSeconds });
export type ProviderList = z.infer<typeof providerList>;

/** GET /v1/health */
export const health = z.object({
  status: z
    .enum(['ok', 'degraded'])
    .describe('degraded: the controller is not heard, a grant is overdue, or part of the ledger can’t be read'),
  controller: controllerState,
  unconfirmed: z.array(resourceName).describe('Resources whose total the controller has not confirmed yet'),
  overdue: z.array(identifier).describe('Grants that ended while the total still counts their tokens'),
});
export type Health = z.infer<typeof health>;
