import * as z from 'zod';
import { resourceName, tokens } from '../contracts/common.ts';
import { duration } from './duration.ts';

const spendingCap = z.strictObject({
  amount: z.number().min(0).describe('Most that borrowing may cost in one period'),
  per: z.enum(['day', 'month']).describe('A calendar day or month, in UTC'),
});

const elastic = z
  .strictObject({
    providers: z.array(z.string()).min(1).describe('Names of the providers to borrow from, in order of preference'),
    providerOrder: z
      .enum(['listed', 'cheapest'])
      .default('listed')
      .describe('Whom to ask first: the first in the list, or whoever costs least per token and hour'),
    maxBorrowed: tokens.describe('Most tokens to have borrowed at once, from all providers together'),
    maxStep: tokens.exactOptional().describe('Most tokens to ask for in one pass; by default maxBorrowed'),
    borrowAfter: duration()
      .default('0s')
      .describe('How long jobs must have waited before tokens are borrowed for them'),
    returnAfter: duration({ least: '1m', most: '24h' })
      .default('10m')
      .describe('How long tokens must have gone unused before they are given back'),
    headroom: tokens.default(0).describe('Unused borrowed tokens to keep for the next job'),
    linger: duration()
      .default('2m')
      .describe('How long the licence server may count a checkout after its job has ended'),
    spendingCap: spendingCap.exactOptional().describe('Nothing is borrowed that would cost more than this'),
    onStale: z
      .enum(['keep', 'ownedOnly'])
      .default('keep')
      .describe('What to do when the controller is not heard: keep what is borrowed, or go back to the owned tokens'),
    staleAfter: duration({ least: '1m' })
      .default('10m')
      .describe('How long the controller must have been silent for onStale to apply'),
  })
  .transform(({ providers, providerOrder, maxBorrowed, maxStep = maxBorrowed, ...rules }) => ({
    providers,
    providerOrder,
    maxBorrowed,
    maxStep,
    ...rules,
  }));

const resource = z.strictObject({
  shared: z.boolean().describe('Whether the whole cluster shares one count; false leaves the resource to its hosts'),
  total: tokens.describe('Tokens that the site owns'),
  elastic: elastic
    .exactOptional()
    .describe('How tokens are borrowed and given back; left out, the resource is fixed: counted, never borrowed for'),
});

export const resources = z.record(resourceName, resource).describe('The resources of the site, by name');

/** The file that the scheduler's controller reads as well. */
export const resourcesFile = z.strictObject({ resources });
