/** The site file: what may stand in it, what it means, and every default. `consistency.ts` has the rules between keys. */
import * as z from 'zod';
import { siteName } from '../contracts/common.ts';
import { deploy } from './deploy.ts';
import { provider } from './provider.ts';
import { resources } from './resource.ts';

const controller = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'an http or https URL' })
    .exactOptional()
    .describe('Where the controller is served; left out, a local run starts the reference controller itself'),
  keys: z
    .string()
    .min(1, 'the path of a file')
    .exactOptional()
    .describe('Path beside this file of the public keys that may announce demand for the controller'),
});

const cluster = z.strictObject({
  backfill: z
    .boolean()
    .default(true)
    .describe('Whether a job may start ahead of one that still waits for tokens of its own'),
});

/** A site file as written: its resources may be in a file beside it. */
export const siteFile = z.strictObject({
  site: siteName,
  controller: controller.exactOptional().describe('The controller on premises that counts tokens and runs jobs'),
  cluster: cluster.prefault({}).describe('The reference cluster, for local runs and simulations'),
  providers: z.array(provider).describe('Who lends tokens to the site'),
  deploy: deploy.exactOptional().describe('How and where the site is deployed to AWS'),
  resources: z
    .union([z.string(), resources])
    .describe('The resources of the site by name, or the path beside this file of a file that holds them'),
});

/** A site file with its resources in place. */
export const wholeSite = siteFile.extend({ resources });
export type SiteFile = z.output<typeof wholeSite>;
