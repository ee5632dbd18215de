import { join } from 'node:path';
import { functions } from '../functions/manifest.ts';
import { startGateway } from '../onprem/gateway/server.ts';
import type { SlurmSettings } from '../onprem/slurm/config.ts';
import { loadSigningKey } from '../shared/adapters/signing/keys.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import type { LoadedSite } from '../shared/config/load.ts';
import { runSchedule } from '../shared/local/function-runtime.ts';
import { startLocalSiteWith, type ControllerParts, type LocalController } from '../shared/local/local-site.ts';
import { Activity } from '../shared/simulation/activity.ts';
import type { SlurmLab } from '../test/slurm-lab/lab.ts';
import { generatedSite } from './generated-site.ts';
import { withDirectory } from './places.ts';
import { connectTo, licenceOf, withSlurmLab } from './slurm-lab.ts';

export interface SlurmSiteOptions {
  readonly resources: readonly string[];
  readonly owned: number;
  readonly totals: SlurmSettings['totals'];
  /** Whether the gateway tells the site that jobs wait; otherwise the site only looks every minute. */
  readonly tellsSite: boolean;
}

/** What each way to set a total needs (docs/slurm.md). The scheduler's intervals stay as Slurm has them by default. */
const schedulerParameters = { count: 'allow_zero_lic', hold: 'bf_continue' };

/** Gives `work` a Slurm with a gateway and a site in this process, which borrows as its jobs need it. */
export async function withSlurmSite<T>(options: SlurmSiteOptions, work: (lab: SlurmLab) => Promise<T>): Promise<T> {
  const { resources, owned, totals } = options;
  const site = await generatedSite({ resources, owned });
  const licences = Object.fromEntries(
    site.controllerConfig.resources.map(({ name, ceiling }) => [licenceOf(name), totals === 'count' ? owned : ceiling]),
  );
  return withSlurmLab({ licences, schedulerParameters: schedulerParameters[totals] }, (lab) =>
    withDirectory((directory) => runSite({ lab, site, directory, options }, () => work(lab))),
  );
}

interface SiteParts {
  readonly lab: SlurmLab;
  readonly site: LoadedSite;
  readonly directory: string;
  readonly options: SlurmSiteOptions;
}

async function runSite<T>(parts: SiteParts, work: () => Promise<T>): Promise<T> {
  const { site, directory } = parts;
  const common = { clock: systemClock, log: silent, activity: new Activity() };
  const local = await startLocalSiteWith({ ...common, site, directory, port: 0 }, (given) => gatewayOf(parts, given));
  const stop = new AbortController();
  const scheduled = runSchedule({ ...common, functions }, local.functions, stop.signal);
  try {
    return await work();
  } finally {
    stop.abort();
    await scheduled;
    await local.close();
  }
}

async function gatewayOf(
  { lab, site, directory, options: { totals, tellsSite } }: SiteParts,
  { keys, keyList, demandUrl }: ControllerParts,
): Promise<LocalController> {
  const config = site.controllerConfig;
  return startGateway({
    config,
    scheduler: await connectTo(lab, totals, config.resources),
    keys: () => keyList,
    directory: join(directory, 'gateway'),
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    log: silent,
    lookEverySeconds: 1,
    ...(tellsSite && { demand: { url: demandUrl, key: await loadSigningKey(keys.own.controller) } }),
  });
}

const silent = { info: () => {}, warn: () => {}, alarm: () => {} };
