import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Environment, Handler, Host, MakeHandler } from '../../functions/host.ts';
import { siteBundle } from '../../functions/site-bundle.ts';
import { startController, type RunningController } from '../../onprem/server.ts';
import { dynamoClient } from '../../shared/adapters/dynamodb/client.ts';
import { ensureTable } from '../../shared/adapters/dynamodb/ensure-table.ts';
import { DynamoLedgerStore } from '../../shared/adapters/dynamodb/ledger-store.ts';
import { listen } from '../../shared/adapters/http/server.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { CallVerifier } from '../../shared/adapters/signing/call-token.ts';
import { KeyList } from '../../shared/adapters/signing/keys.ts';
import { engineEnvironment, startEngine } from '../../shared/local/engine.ts';
import { eventBusApp } from '../../shared/local/event-bus.ts';
import { localKeys, type LocalKeys } from '../../shared/local/local-keys.ts';
import { writeDurably } from '../../shared/local/write-durably.ts';
import { poolApp } from '../../shared/pool/app.ts';
import { MemoryPoolStore } from '../../shared/pool/memory-store.ts';
import { Pool } from '../../shared/pool/pool.ts';
import { madeSite } from '../local/made-site.ts';
import type { LoadedSite } from '../../shared/config/load.ts';
import { ManualClock } from '../onprem/manual-clock.ts';

/** What the functions of a site stand on, all of it real, until the test is over. Nothing triggers them but the test. */
export interface Parts {
  readonly site: LoadedSite;
  readonly clock: ManualClock;
  readonly controller: RunningController;
  readonly pool: Pool;
  /** Where the pool keeps what it lends. */
  readonly poolStore: MemoryPoolStore;
  readonly ledger: DynamoLedgerStore;
  readonly keys: LocalKeys;
  readonly environment: Environment;
  /** Types of the events that the functions have put on their bus. */
  readonly events: string[];
  readonly stopController: () => Promise<void>;
  readonly make: (make: MakeHandler, environment?: Environment) => Promise<Handler>;
}

const host = '127.0.0.1';
const table = 'esr-site-munich';
const log = new JsonLog(() => {});

export async function startParts(onEvent: (type: string) => void = () => {}): Promise<Parts> {
  const { site, directory } = await madeSite();
  const clock = new ManualClock();
  const engine = await startEngine({ directory });
  onTestFinished(() => engine.stop());
  const client = dynamoClient(engineEnvironment(engine));
  onTestFinished(() => client.destroy());
  await ensureTable(client, table);

  const keys = await localKeys(directory, 'munich');
  const keyList = await KeyList.parse(keys.keyList);
  const [{ offers } = { offers: [] }] = site.pools;
  const poolStore = new MemoryPoolStore();
  const pool = new Pool({ name: 'burst', offers, store: poolStore, clock });
  const lender = await listen(
    poolApp({ pool, verifier: new CallVerifier({ keys: keyList, audience: 'burst' }), log }),
    0,
    host,
  );
  onTestFinished(() => lender.close());
  const controllerOptions = { config: site.controllerConfig, keys: keyList, directory: join(directory, 'controller') };
  const controller = await startController({ ...controllerOptions, host, port: 0, clock, log });
  let controllerStopped: Promise<void> | undefined;
  const stopController = (): Promise<void> => (controllerStopped ??= controller.close());
  onTestFinished(stopController);

  const events: string[] = [];
  const bus = await listen(
    eventBusApp((type) => {
      events.push(type);
      onEvent(type);
    }),
    0,
    host,
  );
  onTestFinished(() => bus.close());

  const bundle = join(directory, 'site.json');
  const addresses = { controllerUrl: controller.url, providerUrls: new Map([['burst', lender.url]]) };
  await writeDurably(bundle, JSON.stringify(siteBundle(site, addresses)));
  const environment = {
    ...engineEnvironment(engine),
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
    ESR_SITE_FILE: bundle,
    ESR_TABLE: table,
    ESR_HOLDER: table,
    ESR_BUS: 'local',
    ESR_SITE_KEY: JSON.stringify(keys.own.site),
    ESR_PROVISIONER_KEY: JSON.stringify(keys.own.provisioner),
    ESR_CONTROLLER_KEYS: JSON.stringify(keys.keyList),
  };
  return {
    site,
    clock,
    controller,
    pool,
    poolStore,
    ledger: new DynamoLedgerStore({ client, table, site: 'munich' }),
    keys,
    environment,
    events,
    stopController,
    make: (make, over = environment) => make({ environment: over, clock, log } satisfies Host),
  };
}

/** One job that needs more than is owned. */
export function submitJob({ controller, clock }: Parts): void {
  controller.controller.submit(
    [{ id: 'job-1', submit: clock.now(), needs: { hfsshpc: 24 }, runSeconds: 600 }],
    clock.now(),
  );
}
