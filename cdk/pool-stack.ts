import { Stack } from 'aws-cdk-lib';
import type { HttpApi as Api } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { poolBundle } from '../functions/pool-bundle.ts';
import { poolFunction } from '../functions/pool-manifest.ts';
import type { LoadedPool } from '../shared/config/load-pool.ts';
import { poolPartition } from '../shared/pool/partition.ts';
import { Alarms } from './alarms.ts';
import { DeadLetters } from './dead-letters.ts';
import { DeployedFunction } from './deployed-function.ts';
import { DocumentLayer } from './document-layer.ts';
import { HttpApi } from './http-api.ts';
import { SiteRole } from './site-role.ts';
import { StateTable } from './state-table.ts';

/** One lending pool, made of its pool file. The ids of what holds state must never change. */
export class PoolStack extends Stack {
  constructor(scope: Construct, pool: LoadedPool) {
    const { name, sites, deploy } = pool;
    const { account, region, alarmTopic: topic, tags } = deploy;
    super(scope, `esr-pool-${name.replaceAll('_', '-')}`, {
      description: `Elastic shared resources: pool ${name}`,
      env: { ...(account === undefined ? {} : { account }), ...(region === undefined ? {} : { region }) },
      tags: { 'esr:pool': name, ...tags },
    });
    const deadLetters = new DeadLetters(this, 'DeadLetters').queue;
    const made = this.#makeFunction(pool, deadLetters);
    const api = this.#serve(made, deploy.logRetentionDays);
    for (const site of sites) new SiteRole(this, `Site-${site.site}`, { ...site, api });
    new Alarms(this, 'Alarms', {
      functions: new Map([[poolFunction, made]]),
      deadLetters,
      api,
      ...(topic === undefined ? {} : { topic }),
    });
  }

  #makeFunction(pool: LoadedPool, deadLetters: IQueue): DeployedFunction {
    const state = new StateTable(this, 'State');
    const layer = new DocumentLayer(this, 'PoolFile', 'pool.json', poolBundle(pool));
    const made = new DeployedFunction(this, 'Pool', {
      spec: poolFunction,
      environment: { ESR_POOL_FILE: layer.path, ESR_TABLE: state.table.tableName },
      layers: [layer],
      deadLetters,
      logRetentionDays: pool.deploy.logRetentionDays,
    });
    made.role.addToPolicy(state.statement(poolPartition(pool.name), poolFunction.tableActions));
    return made;
  }

  #serve(target: DeployedFunction, logRetentionDays: number): Api {
    const api = new HttpApi(this, 'Api', { description: 'The pool, as the url in site files', logRetentionDays });
    for (const route of poolFunction.routes) api.add(route, target);
    return api.api;
  }
}
