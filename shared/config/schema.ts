/** The site file: what may stand in it, what it means, and every default. `consistency.ts` has the rules between keys. */
import * as z from 'zod';
import { siteName } from '../contracts/common.ts';
import { deploy } from './deploy.ts';
import { provider } from './provider.ts';
import { resources } from './resource.ts';

const delivery = z.enum(['push', 'pull']);
export type Delivery = z.output<typeof delivery>;

const controller = z.strictObject({
  delivery: delivery
    .default('push')
    .describe('push: the site calls the controller; pull: the controller fetches those calls, so that none comes in'),
  url: z
    .url({ protocol: /^https?$/, error: 'an http or https URL' })
    .exactOptional()
    .describe('Where the controller is served; left out, a local run starts the reference controller itself'),
  keys: z
    .string()
    .min(1, 'the path of a file')
    .exactOptional()
    .describe('Path beside this file of the key list of those who may call the site: its controller, and operators'),
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
  allowAddresses: z
    .array(z.union([z.ipv4(), z.ipv6()], { error: 'an IP address' }))
    .exactOptional()
    .describe(
      'IP addresses at which the controller and providers may be although they lead inward: link-local, or loopback where the site is deployed; left out, none',
    ),
  deploy: deploy.exactOptional().describe('How and where the site is deployed to AWS'),
  resources: z
    .union([z.string(), resources])
    .describe('The resources of the site by name, or the path beside this file of a file that holds them'),
});

/** A site file with its resources in place. */
export const wholeSite = siteFile.extend({ resources });
export type SiteFile = z.output<typeof wholeSite>;
