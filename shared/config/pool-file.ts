/** The pool file: what a pool lends, and who may call it. */
import * as z from 'zod';
import { resourceName, siteName, tokens } from '../contracts/common.ts';
import { awsAccount, externalId } from './aws.ts';
import { deploy } from './deploy.ts';
import { offer, providerName } from './provider.ts';

const keysPath = z.string().min(1, 'the path of a file');

const site = z.strictObject({
  keys: keysPath.describe("Path beside this file of the site's public keys, of the role site"),
  account: awsAccount.describe('The AWS account in which the site is deployed'),
  externalId: externalId.describe(
    'What the site names to prove that it is meant, unguessable and another for each site',
  ),
  maximum: z
    .record(resourceName, tokens)
    .default({})
    .describe("Most tokens to lend to this site at once, by resource; for others the offer's own maximum holds"),
});

export const poolFile = z.strictObject({
  pool: providerName.describe('Name of the pool, which sites have as the name of the provider'),
  offers: z.record(resourceName, offer).describe('What the pool lends and on which terms, by resource'),
  sites: z.record(siteName, site).describe('The sites that may borrow, by name'),
  operators: keysPath
    .exactOptional()
    .describe('Path beside this file of the public keys, of the role operator, of those who may recall grants'),
  deploy: deploy
    .pick({ account: true, region: true, alarmTopic: true, logRetentionDays: true, tags: true })
    .prefault({})
    .describe('How and where the pool is deployed to AWS'),
});
export type PoolFile = z.output<typeof poolFile>;
