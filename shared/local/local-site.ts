/**
 * A whole site on one machine with its real parts: the database engine, the lending pools, the functions of the manifest
 * behind a local event bus and HTTP API, and a controller: its own with a reference cluster, or the site's.
 */
import { join } from 'node:path';
import { functions } from '../../functions/manifest.ts';
import { deliveryOf, siteBundle } from '../../functions/site-bundle.ts';
import { startController, type RunningController } from '../../onprem/server.ts';
import { dynamoClient } from '../adapters/dynamodb/client.ts';
import { ensureTable } from '../adapters/dynamodb/ensure-table.ts';
import { DynamoLedgerStore } from '../adapters/dynamodb/ledger-store.ts';
import { listen } from '../adapters/http/server.ts';
import { CallVerifier } from '../adapters/signing/call-token.ts';
import { KeyList, loadSigningKey } from '../adapters/signing/keys.ts';
import type { LoadedSite } from '../config/load.ts';
import { poolApp } from '../pool/app.ts';
import { DynamoPoolStore } from '../pool/dynamo-store.ts';
import { Pool } from '../pool/pool.ts';
import type { Clock, Log } from '../ports.ts';
import type { Activity } from '../simulation/activity.ts';
import { engineEnvironment, startEngine, type Engine } from './engine.ts';
import { fetchingCalls } from './fetching-calls.ts';
import { startFunctions, type FunctionRuntime } from './function-runtime.ts';
import { localKeys, type LocalKeys } from './local-keys.ts';
import { writeDurably } from './write-durably.ts';

export interface LocalSiteOptions {
  readonly site: LoadedSite;
  /** Taken by the caller (`takeDirectory`). */
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly activity: Activity;
  /** Of the status API; 0 takes a free one. */
  readonly port: number;
}

export interface LocalSite<C = RunningController> {
  readonly engine: string;
  readonly controller: C;
  readonly functions: FunctionRuntime;
  readonly pools: ReadonlyMap<string, { readonly pool: Pool; readonly url: string }>;
  readonly keys: LocalKeys;
  /** For whoever reads what the site has done, until it is closed. */
  readonly ledger: DynamoLedgerStore;
  /** Rejects when a part has ended by itself; until then it is pending. */
  readonly broken: Promise<never>;
  close(): Promise<void>;
}

/** What the functions call as the controller. */
export interface LocalController {
  readonly url: string;
  close(): Promise<void>;
}

/** What a controller is started with. */
export interface ControllerParts {
  readonly keys: LocalKeys;
  readonly keyList: KeyList;
  /** Asked at every call, as the functions start after the controller. */
  readonly demandUrl: () => string;
}

const host = '127.0.0.1';

export const siteTable = (site: string): string => `esr-site-${site}`;
/** Every run writes it. */
export const bundleFile = (directory: string): string => join(directory, 'site.json');
const poolTable = (pool: string): string => `esr-pool-${pool}`;

/** With a reference controller; `controllerClock` is its own, where a driver moves its time on. */
export async function startLocalSite(
  options: LocalSiteOptions & { readonly controllerClock?: Clock },
): Promise<LocalSite> {
  const { site, directory, clock, controllerClock = clock, log, activity } = options;
  const local = await startLocalSiteWith(options, async ({ keys, keyList, demandUrl }) =>
    startController({
      config: site.controllerConfig,
      keys: keyList,
      directory: join(directory, 'controller'),
      host,
      port: 0,
      clock: controllerClock,
      log,
      demand: {
        url: demandUrl,
        key: await loadSigningKey(keys.own.controller),
        start: (task) => activity.start(task),
      },
    }),
  );
  return deliveryOf(site) === 'pull' ? fetchingCalls(local, site.policy.site, log) : local;
}

/** Parts are closed in the opposite order of their start, also where a later one can't be started. */
export async function startLocalSiteWith<C extends LocalController>(
  options: LocalSiteOptions,
  startController: (parts: ControllerParts) => Promise<C>,
): Promise<LocalSite<C>> {
  const parts: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const part of parts.splice(0).reverse()) await part().catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, `stopping the site: ${failures.map(String).join('; ')}`);
  };
  try {
    return { ...(await startParts(options, startController, parts)), close };
  } catch (error) {
    // Why it can't be started matters more than what then fails to stop.
    await close().catch(() => undefined);
    throw error;
  }
}

async function startParts<C extends LocalController>(
  { site, directory, clock, log, activity, port }: LocalSiteOptions,
  startController: (parts: ControllerParts) => Promise<C>,
  parts: (() => Promise<unknown>)[],
): Promise<Omit<LocalSite<C>, 'close'>> {
  const name = site.policy.site;
  const engine = await startEngine({ directory });
  parts.push(() => engine.stop());
  const environment = engineEnvironment(engine);
  const client = dynamoClient(environment);
  parts.push(async () => client.destroy());
  await ensureTable(client, siteTable(name));

  const keys = await localKeys(directory, name);
  const keyList = await KeyList.parse(keys.keyList);
  const pools = new Map<string, { pool: Pool; url: string }>();
  for (const { provider, url, offers } of site.pools) {
    if (url !== undefined) continue;
    await ensureTable(client, poolTable(provider));
    const store = new DynamoPoolStore({ client, table: poolTable(provider), pool: provider });
    const pool = new Pool({ name: provider, offers, store, clock });
    const server = await listen(
      poolApp({ pool, verifier: new CallVerifier({ keys: keyList, audience: provider }), log }),
      0,
      host,
    );
    parts.push(() => server.close());
    pools.set(provider, { pool, url: server.url });
  }

  // The controller calls the functions' API, and the functions call the controller: its address is filled in below.
  let demandUrl = '';
  const controller = await startController({ keys, keyList, demandUrl: () => demandUrl });
  parts.push(() => controller.close());

  const providerUrls = new Map([...pools].map(([provider, { url }]) => [provider, url]));
  const bundle = bundleFile(directory);
  await writeDurably(bundle, JSON.stringify(siteBundle(site, { controllerUrl: controller.url, providerUrls })));
  const runtime = await startFunctions({
    functions,
    environment: {
      ...environment,
      ESR_SITE_FILE: bundle,
      ESR_TABLE: siteTable(name),
      ESR_HOLDER: siteTable(name),
      ESR_BUS: 'local',
      ESR_SITE_KEY: JSON.stringify(keys.own.site),
      ESR_PROVISIONER_KEY: JSON.stringify(keys.own.provisioner),
      ESR_CONTROLLER_KEYS: JSON.stringify(keys.keyList),
    },
    clock,
    log,
    activity,
    port,
  });
  parts.push(() => runtime.close());
  demandUrl = `${runtime.url}/v1/demand`;
  const ledger = new DynamoLedgerStore({ client, table: siteTable(name), site: name });
  return { engine: engine.kind, controller, functions: runtime, pools, keys, ledger, broken: brokenBy(engine) };
}

function brokenBy({ ended }: Engine): Promise<never> {
  const broken = ended.then((error): Promise<never> => {
    if (error !== undefined) throw error;
    return new Promise(() => {});
  });
  // Not everybody who runs a site waits for this.
  broken.catch(() => undefined);
  return broken;
}
