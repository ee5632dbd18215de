/** The gateway's file: what may stand in it, what it means, and every default. */
import * as z from 'zod';
import { duration, formatDuration } from '../../shared/config/duration.ts';
import { resources } from '../../shared/config/resource.ts';
import { siteName } from '../../shared/contracts/common.ts';
import { maxWaitSeconds } from '../../shared/contracts/relay.ts';
import { commandSettings } from '../command/config.ts';
import { slurmSettings } from '../slurm/config.ts';

const path = z.string().min(1, 'the path of a file');

const listen = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on; 0.0.0.0 is every one of this host'),
  port: z.int().min(0).max(65_535).default(8180).describe('0 takes a free one'),
  certificate: path
    .exactOptional()
    .describe('Certificate in PEM, for HTTPS; left out, plain HTTP is served, for a proxy on this host'),
  key: path.exactOptional().describe('Private key of the certificate, in PEM'),
});

const demand = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'an http or https URL' })
    .describe("The site's own route for it, ending in /v1/demand"),
  key: path.describe('Private key of the role controller, as made by esr keys new'),
});

const pull = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'an http or https URL' })
    .describe("The site's own route for it, ending in /v1/relay"),
  key: path.describe('Private key of the role controller, as made by esr keys new'),
  wait: duration({ most: formatDuration(maxWaitSeconds) })
    .default(formatDuration(maxWaitSeconds))
    .describe('How long the site holds a call that asks for more where there are none; it pays for that time'),
  every: duration({ most: '5s' })
    .default('0s')
    .describe('Pause after a call that has found none; with wait: 0s, at least 1s'),
});

/** A gateway file as written: its resources may be in a file beside it. Paths are taken from the file's folder. */
export const gatewayFile = z.strictObject({
  site: siteName,
  resources: z
    .union([path, resources])
    .describe('The resources of the site, or the path of the file that holds them: the one that the site file names'),
  scheduler: z
    .discriminatedUnion('kind', [slurmSettings, commandSettings])
    .describe('The scheduler that counts tokens and runs jobs'),
  lookEvery: duration({ least: '1s', most: '4s' })
    .default('1s')
    .describe('How often to look at the scheduler; less often while a look takes more than a tenth of that'),
  listen: listen.prefault({}).describe('Where the controller contract is served'),
  callers: path.describe('Key list of those who may call, each with its role'),
  data: path.describe('Directory for what must survive: totals, leases, counts'),
  demand: demand
    .exactOptional()
    .describe('Where to tell that jobs begin to wait; left out, the site looks every minute'),
  pull: pull
    .exactOptional()
    .describe("Where to fetch the site's calls, for a site file with delivery: pull; left out, the site calls here"),
});

/** A gateway file with its resources in place. */
export const wholeGateway = gatewayFile.extend({ resources });
export type GatewayFile = z.output<typeof wholeGateway>;
