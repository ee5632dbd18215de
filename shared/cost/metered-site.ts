/** A simulated site whose ledger is in a real database engine, with everything counted that its functions ask for. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { deliveryOf } from '../../functions/site-bundle.ts';
import { dynamoClient } from '../adapters/dynamodb/client.ts';
import { ensureTable } from '../adapters/dynamodb/ensure-table.ts';
import { DynamoLedgerStore } from '../adapters/dynamodb/ledger-store.ts';
import { DynamoRelayStore } from '../adapters/dynamodb/relay.ts';
import { JsonLog } from '../adapters/json-log.ts';
import type { LoadedSite } from '../config/load.ts';
import type { Instant } from '../domain/model.ts';
import { engineEnvironment, startEngine } from '../local/engine.ts';
import { aroundPush, aroundReconcile, type Around } from '../simulation/port-calls.ts';
import { SimulatedSite } from '../simulation/simulated-site.ts';
import { assumptions } from './assumptions.ts';
import { meter } from './metered-client.ts';
import { overRelay } from './metered-relay.ts';
import { nothing, plus, type Tally } from './tally.ts';

/** The functions whose work is counted, by their names in the manifest. */
export type Counted = 'reconcile' | 'push-total' | 'relay';
export type Tallies = Readonly<Record<Counted, Tally>>;

export interface MeteredSite {
  readonly world: SimulatedSite;
  readonly ledger: DynamoLedgerStore;
  /** Since the start. */
  tallies(): Tallies;
  close(): Promise<void>;
}

const table = 'site';
const eventMethods = ['demandWaits', 'totalChanged'];
const controllerMethods = ['observe', 'acquireLease', 'setTotal'];

/** The engine keeps its data in memory. Throws `EngineError`. */
export async function startMeteredSite(loaded: LoadedSite, start: Instant): Promise<MeteredSite> {
  const { site } = loaded.policy;
  const engine = await startEngine();
  const environment = engineEnvironment(engine);
  const tallies: Record<Counted, Tally> = { reconcile: nothing, 'push-total': nothing, relay: nothing };
  const add = (name: Counted, what: Partial<Tally>): void => {
    tallies[name] = plus(tallies[name], { ...nothing, ...what });
  };
  const plain = dynamoClient(environment);
  await ensureTable(plain, table);
  const clients = [plain];
  const meteredClient = (name: Counted): DynamoDBClient => {
    const client = dynamoClient(environment);
    clients.push(client);
    meter(client, ({ sortKey = '', ...units }) => {
      const keptUnits = /^(HISTORY|PASS)#/.test(sortKey) ? units.writeUnits : 0;
      add(name, { databaseRequests: 1, ...units, keptUnits });
    });
    return client;
  };
  const isPull = deliveryOf(loaded) === 'pull';
  const fetcher = new DynamoRelayStore({ client: meteredClient('relay'), table, site });
  const metered = (name: 'reconcile' | 'push-total') => {
    const client = meteredClient(name);
    const caller = new DynamoRelayStore({ client, table, site });
    const relayed = overRelay({ caller, fetcher, now: () => world.clock.now() });
    const around: Around = (call, effect) => {
      const isOfController = controllerMethods.includes(call.method);
      if (isOfController || 'provider' in call) add(name, { outsideCalls: 1 });
      if (eventMethods.includes(call.method)) add(name, { events: 1 });
      if (!isPull || !isOfController) return effect();
      // One to fetch the call, and one to answer it.
      add('relay', { calls: 2 });
      add(name, { pausedMilliseconds: assumptions.relayMilliseconds });
      return relayed(call, effect);
    };
    const log = new JsonLog((line) => add(name, { logBytes: Buffer.byteLength(line) + 1 }));
    return { ledger: new DynamoLedgerStore({ client, table, site }), around, log };
  };
  const reconciling = metered('reconcile');
  const pushing = metered('push-total');
  const world = new SimulatedSite(loaded, start, {
    interception: {
      reconcile(ports, run) {
        add('reconcile', { calls: 1 });
        const { around, ...own } = reconciling;
        return run(aroundReconcile({ ...ports, ...own }, around));
      },
      push(ports, run) {
        add('push-total', { calls: 1 });
        const { around, ...own } = pushing;
        return run(aroundPush({ ...ports, ...own }, around));
      },
    },
  });
  return {
    world,
    ledger: new DynamoLedgerStore({ client: plain, table, site }),
    tallies: () => ({ ...tallies }),
    async close() {
      for (const client of clients) client.destroy();
      await engine.stop();
    },
  };
}
