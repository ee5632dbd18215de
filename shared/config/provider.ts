import * as z from 'zod';
import { positiveTokens, resourceName, siteName } from '../contracts/common.ts';
import { grantTerms } from '../contracts/provider.ts';
import { awsRegion, externalId } from './aws.ts';
import { duration } from './duration.ts';

/** A provider's name goes into URLs and lease keys, as a site's does. */
export const providerName = siteName.describe('Name of the provider, by which resources refer to it');

export const offer = z
  .strictObject({
    capacity: positiveTokens.describe('Tokens that the pool holds, for all its sites together'),
    maximum: positiveTokens
      .exactOptional()
      .describe('Most tokens that the pool lends to one site at once; by default its capacity'),
    block: positiveTokens.default(1).describe('The pool lends and takes back multiples of this many tokens'),
    minimumHold: duration().describe('How long a loan is kept and paid for at the least, such as 1h'),
    partialReturns: z.boolean().default(true).describe('Whether part of a loan may be given back before the rest'),
    lease: duration({ least: '1m' })
      .exactOptional()
      .describe('A loan ends this long after it was made or renewed; left out, it has no end'),
    costPerTokenHour: grantTerms.shape.costPerTokenHour.describe(
      'What one token costs for one hour, in the currency of the spending caps',
    ),
  })
  .transform(({ capacity, maximum = capacity, ...terms }) => ({ capacity, maximum, ...terms }));

const auth = z.strictObject({
  kind: z.literal('iam').describe('The pool is behind an API that AWS IAM guards, as a deployed pool is'),
  region: awsRegion.describe('Region of the API'),
  roleArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/, "a role's ARN: arn:aws:iam::ACCOUNT:role/NAME")
    .describe('The role in the account of the pool that the site assumes to call it; an output of the pool'),
  externalId: externalId.describe("The site's external id in the pool file"),
});

export type ProviderAuth = z.output<typeof auth>;

export const provider = z.strictObject({
  name: providerName,
  kind: z.literal('pool').describe('How the provider is spoken to: a pool serves the provider contract over HTTP'),
  url: z
    .url({ protocol: /^https?$/, error: 'an http or https URL' })
    .exactOptional()
    .describe('Where the pool is served; left out, a local run starts the pool itself from its offers'),
  auth: auth
    .exactOptional()
    .describe("What calls carry beside the site's own signature, which they always carry; left out, nothing"),
  offers: z
    .record(resourceName, offer)
    .exactOptional()
    .describe('What the pool lends and on which terms, by resource; local runs and simulations need it'),
});

/** ARNs of the roles that the site assumes to call its providers, each once: `sts:AssumeRole` on these and no others. */
export function assumableRoles(providers: readonly z.output<typeof provider>[]): string[] {
  return [...new Set(providers.flatMap(({ auth }) => auth?.roleArn ?? []))];
}
