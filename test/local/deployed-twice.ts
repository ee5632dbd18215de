import { QueryCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';
import type { Handler } from '../../functions/host.ts';
import { make as makePushTotal } from '../../functions/push-total.ts';
import { make as makeReconcile } from '../../functions/reconcile.ts';
import { dynamoClient } from '../../shared/adapters/dynamodb/client.ts';
import { ensureTable } from '../../shared/adapters/dynamodb/ensure-table.ts';
import { sitePartition, type Item } from '../../shared/adapters/dynamodb/items.ts';
import { DynamoLedgerStore } from '../../shared/adapters/dynamodb/ledger-store.ts';
import type { ResourceLedger } from '../../shared/domain/model.ts';
import { startParts, type Parts } from '../functions/parts.ts';
import type { Sight } from '../promises/sight.ts';
import { Watch } from '../promises/watch.ts';
import { minute } from './made-site.ts';

/** The functions of a site with a table of their own, as one stack deploys them. */
export interface DeployedSite {
  readonly table: string;
  readonly reconcile: Handler;
  readonly push: Handler;
  readonly alarms: string[];
  ledger(): Promise<ResourceLedger | undefined>;
}

/** One controller and one pool, and as many deployments of their site as a test makes, under watch. */
export class DeployedTwice {
  readonly parts: Parts;
  readonly watch: Watch;
  readonly #client;
  #jobs = 0;

  constructor(parts: Parts) {
    this.parts = parts;
    this.#client = dynamoClient(parts.environment);
    onTestFinished(() => this.#client.destroy());
    this.watch = new Watch(parts.site);
    this.watch.attach({
      clock: parts.clock,
      controller: parts.controller.controller,
      poolStores: new Map([['burst', parts.poolStore]]),
      store: parts.ledger,
    });
  }

  static async start(): Promise<DeployedTwice> {
    return new DeployedTwice(await startParts());
  }

  /** Step `aws dynamodb restore-table-to-point-in-time` is the copy of `items`; then the stack is deployed with that table. */
  async deploy(table: string, items: readonly Item[] = []): Promise<DeployedSite> {
    const { environment, clock, site } = this.parts;
    await ensureTable(this.#client, table);
    for (const Item of items) await this.#client.send(new PutItemCommand({ TableName: table, Item }));
    const alarms: string[] = [];
    const host = {
      environment: { ...environment, ESR_TABLE: table, ESR_HOLDER: `111122223333:eu-central-1:${table}` },
      clock,
      log: { info: () => {}, warn: () => {}, alarm: (name: string) => void alarms.push(name) },
    };
    const store = new DynamoLedgerStore({ client: this.#client, table, site: site.policy.site });
    return {
      table,
      reconcile: await makeReconcile(host),
      push: await makePushTotal(host),
      alarms,
      ledger: async () => (await store.read()).ledgers[0],
    };
  }

  /** All that the table holds of the site now. */
  async backUp({ table }: DeployedSite): Promise<Item[]> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :site',
        ExpressionAttributeValues: { ':site': { S: sitePartition(this.parts.site.policy.site) } },
      }),
    );
    return Items;
  }

  /** The promises are about its ledger from now on, which may not know for so long what is lent. */
  watchLedgerOf({ table }: DeployedSite, missingMinutes: number): void {
    const { site, clock } = this.parts;
    this.watch.ledger = new DynamoLedgerStore({ client: this.#client, table, site: site.policy.site });
    this.watch.words.missingUntil = clock.now() + missingMinutes * minute;
  }

  /** In each, the schedule runs the functions of these deployments. Answers what their last passes came to. */
  async minutes(minutes: number, ...running: readonly DeployedSite[]): Promise<unknown[]> {
    const { clock, controller } = this.parts;
    let results: unknown[] = [];
    for (let passed = 0; passed < minutes; passed += 1) {
      clock.set(clock.now() + minute);
      controller.advance();
      results = [];
      for (const { reconcile, push } of running) {
        results.push(await reconcile({}));
        await push({});
        await this.look();
      }
    }
    return results;
  }

  submit(tokens: number, runMinutes: number): void {
    const { controller, clock } = this.parts;
    this.#jobs += 1;
    const job = {
      id: `job-${this.#jobs}`,
      submit: clock.now(),
      needs: { hfsshpc: tokens },
      runSeconds: runMinutes * 60,
    };
    controller.controller.submit([job], clock.now());
  }

  look(): Promise<Sight> {
    return this.watch.look();
  }

  total(): number {
    return this.parts.controller.controller.figures('hfsshpc').total;
  }
}
