/** What the status API tells of the past: the changes of a resource's ledger, and its totals over time. */
import * as z from 'zod';
import { counter, identifier, isoTime, resourceName, seconds, tokens } from './common.ts';
import { grantTerms } from './provider.ts';
import { recall } from './status.ts';

/** Most history entries in one answer. */
const maxHistoryPage = 500;
/** After this much JSON a page ends: with one more entry (an item of the table) it stays below the 6 MB of `maxTotalSteps`. */
export const maxHistoryBytes = 4_000_000;
/** Most steps in one answer: with some 50 bytes each it stays well below the 6 MB that a Lambda function may answer. */
export const maxTotalSteps = 50_000;

const because = z.object({ reason: z.string().describe('In words, for people') });
const ofGrant = because.extend({ grant: identifier });

export const change = z.discriminatedUnion('kind', [
  because.extend({ kind: z.literal('opened'), owned: tokens }),
  ofGrant.extend({ kind: z.literal('borrow'), provider: z.string(), tokens, terms: grantTerms }),
  ofGrant.extend({
    kind: z.literal('granted'),
    tokens,
    terms: grantTerms,
    expiresInSeconds: seconds.optional(),
    sentAt: isoTime,
    receivedAt: isoTime,
  }),
  ofGrant.extend({ kind: z.literal('refused'), retryAfterSeconds: seconds.optional() }),
  ofGrant.extend({ kind: z.literal('abandoned') }),
  ofGrant.extend({
    kind: z.literal('adopted'),
    provider: z.string(),
    tokens,
    terms: grantTerms,
    expiresAt: isoTime.optional(),
  }),
  ofGrant.extend({ kind: z.literal('renewed'), leaseSeconds: seconds, sentAt: isoTime }),
  ofGrant.extend({ kind: z.literal('recalled'), recall }),
  ofGrant.extend({ kind: z.literal('withdraw'), returnId: identifier, tokens }),
  ofGrant.extend({ kind: z.literal('keep'), tokens }),
  ofGrant.extend({
    kind: z.literal('returned'),
    tokens,
    elsewhere: z.literal(true).exactOptional().describe('By another deployment of the site'),
  }),
  because.extend({ kind: z.literal('retarget'), owned: tokens, afterSequence: counter }),
  because.extend({ kind: z.literal('confirmed'), epoch: counter, sequence: counter }),
  because.extend({ kind: z.literal('unconfirmed') }),
]);
export type ChangeAnswer = z.infer<typeof change>;

export const historyEntry = z.object({
  version: counter.describe('Of the ledger after this write'),
  at: isoTime,
  by: z.enum(['decide', 'provider', 'controller']).describe('Whose answer the write records, or decide'),
  pass: z.string().optional().describe('The pass that decided it'),
  epoch: counter,
  changes: z.array(change),
  target: z.object({ owned: tokens, borrowed: tokens, total: tokens, epoch: counter, sequence: counter }),
  confirmed: z.boolean().describe('The controller had confirmed this target by then'),
});
export type HistoryEntryAnswer = z.infer<typeof historyEntry>;

/** The version to continue after, in base 36: at most ten digits, so that it stays a safe integer. */
export const historyCursor = z.codec(z.string().regex(/^[0-9a-z]{1,10}$/, 'not a cursor of this API'), counter, {
  decode: (text) => Number.parseInt(text, 36),
  encode: (version) => version.toString(36),
});

/** GET /v1/resources/{name}/history */
export const historyPage = z.object({
  resource: resourceName,
  entries: z.array(historyEntry).max(maxHistoryPage).describe('Oldest first'),
  next: z.string().optional().describe('The cursor of the next page; absent: this is the last one'),
});
export type HistoryPage = z.infer<typeof historyPage>;

/** A step of the total: since when, owned, borrowed, total. */
export const totalStep = z.tuple([isoTime, tokens, tokens, tokens]);

/** GET /v1/resources/{name}/totals */
export const totals = z.object({
  resource: resourceName,
  steps: z
    .array(totalStep)
    .max(maxTotalSteps)
    .describe('[since, owned, borrowed, total] as the controller confirmed them, the one in force at `from` first'),
});
export type Totals = z.infer<typeof totals>;

const instant = isoTime.transform((text) => Date.parse(text));
const range = {
  from: instant.optional().describe('Nothing before this time'),
  to: instant.optional().describe('Nothing after this time'),
};
const isOrdered = ({ from, to }: { from?: number | undefined; to?: number | undefined }): boolean =>
  from === undefined || to === undefined || from <= to;
const notOrdered = { message: 'must not be later than "to"', path: ['from'] };

export const totalsQuery = z.strictObject(range).refine(isOrdered, notOrdered);
export type TotalsQuery = z.infer<typeof totalsQuery>;

export const historyQuery = z
  .strictObject({
    ...range,
    cursor: historyCursor.optional().describe('`next` of the page before'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(maxHistoryPage)
      .default(100)
      .describe('Most entries in the answer; there are fewer where they are large'),
  })
  .refine(isOrdered, notOrdered);
export type HistoryQuery = z.infer<typeof historyQuery>;
