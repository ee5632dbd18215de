import { Fn, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { functionsFor, type FunctionSpec } from '../functions/manifest.ts';
import type { KeyVariable } from '../functions/wiring.ts';
import { relayPartition, sitePartition } from '../shared/adapters/dynamodb/items.ts';
import { assumableRoles } from '../shared/config/provider.ts';
import { Alarms } from './alarms.ts';
import { SiteDashboard } from './dashboard.ts';
import { DeadLetters } from './dead-letters.ts';
import { DeployedFunction } from './deployed-function.ts';
import { DocumentLayer } from './document-layer.ts';
import { SiteEvents } from './site-events.ts';
import { HttpApi } from './http-api.ts';
import { placeIn } from './network.ts';
import { Schedule } from './schedule.ts';
import { SigningKey } from './signing-key.ts';
import type { DeployableSite } from './deployable-site.ts';
import { StateTable } from './state-table.ts';

/** One site, made of its site file and the functions of the manifest. The ids of what holds state must never change. */
export class SiteStack extends Stack {
  readonly #site: DeployableSite;
  readonly #deadLetters = new DeadLetters(this, 'DeadLetters').queue;
  readonly #state: StateTable;
  readonly #events = new SiteEvents(this, 'Events');
  readonly #keys: Readonly<Record<KeyVariable, SigningKey>> = {
    ESR_SITE_KEY: new SigningKey(this, 'SiteKey', 'of the role site: reads demand and borrows'),
    ESR_PROVISIONER_KEY: new SigningKey(this, 'ProvisionerKey', 'of the role provisioner: signs totals'),
  };
  readonly #functions: ReadonlyMap<FunctionSpec, DeployedFunction>;

  constructor(scope: Construct, deployable: DeployableSite) {
    const { site, settings } = deployable;
    const { account, region, tags } = settings;
    const name = site.policy.site;
    super(scope, stackName(name), {
      description: `Elastic shared resources: site ${name}`,
      env: { ...(account === undefined ? {} : { account }), ...(region === undefined ? {} : { region }) },
      tags: { 'esr:site': name, ...tags },
    });
    this.#site = deployable;
    this.#state = new StateTable(this, 'State', settings.restoredTable);
    this.#functions = this.#makeFunctions();
    for (const [spec, made] of this.#functions) this.#allow(spec, made);
    this.#denyOthers();
    const api = this.#connect();
    this.#watch(api);
  }

  #makeFunctions(): ReadonlyMap<FunctionSpec, DeployedFunction> {
    const { bundle, controllerKeys, settings } = this.#site;
    const layer = new DocumentLayer(this, 'SiteFile', 'site.json', bundle);
    const { table } = this.#state;
    const environment = {
      ESR_SITE_FILE: layer.path,
      ESR_TABLE: table.tableName,
      // The parts of the table's ARN, in the letters that a lease's holder may have.
      ESR_HOLDER: Fn.join(':', [this.account, this.region, table.tableName]),
      ESR_BUS: this.#events.bus.eventBusName,
      ESR_CONTROLLER_KEYS: controllerKeys,
    };
    return new Map(
      functionsFor(bundle.delivery).map((spec) => [
        spec,
        new DeployedFunction(this, constructId(spec.name), {
          spec,
          environment: { ...environment, ...this.#keyVariable(spec) },
          layers: [layer],
          deadLetters: this.#deadLetters,
          logRetentionDays: settings.logRetentionDays,
        }),
      ]),
    );
  }

  #keyVariable({ signsWith }: FunctionSpec): Record<string, string> {
    return signsWith === undefined ? {} : { [`${signsWith}_SECRET`]: this.#keys[signsWith].secret.secretArn };
  }

  /** What the manifest says that the function does. */
  #allow(spec: FunctionSpec, made: DeployedFunction): void {
    const { tableActions, relayActions = [], puts, signsWith, callsProviders } = spec;
    const { site, bundle, settings } = this.#site;
    const { role } = made;
    const name = site.policy.site;
    if (tableActions.length > 0) role.addToPolicy(this.#state.statement(sitePartition(name), tableActions));
    if (bundle.delivery === 'pull' && relayActions.length > 0) {
      role.addToPolicy(this.#state.statement(relayPartition(name), relayActions));
    }
    if (puts.length > 0) this.#events.allowPut(role, puts);
    if (signsWith !== undefined) {
      this.#keys[signsWith].allow(role);
      if (settings.vpc !== undefined) placeIn(settings.vpc, made);
    }
    const assumable = callsProviders === true ? assumableRoles(site.file.providers) : [];
    if (assumable.length > 0)
      role.addToPolicy(new PolicyStatement({ actions: ['sts:AssumeRole'], resources: assumable }));
  }

  /** Whatever other rights people and roles of the account have. */
  #denyOthers(): void {
    const rolesThat = (does: (spec: FunctionSpec) => boolean) =>
      [...this.#functions].filter(([spec]) => does(spec)).map(([, { role }]) => role);
    this.#events.denyAllBut(rolesThat(({ puts }) => puts.length > 0));
    this.#keys.ESR_SITE_KEY.denyAllBut(rolesThat(({ signsWith }) => signsWith === 'ESR_SITE_KEY'));
    this.#keys.ESR_PROVISIONER_KEY.denyAllBut(rolesThat(({ signsWith }) => signsWith === 'ESR_PROVISIONER_KEY'));
  }

  /** The functions with what triggers them. */
  #connect(): HttpApi {
    const { jwt, logRetentionDays } = this.#site.settings;
    const schedule = new Schedule(this, 'Schedule', this.#deadLetters);
    const api = new HttpApi(this, 'Api', {
      description: 'The site: /v1/demand, /v1/resources',
      logRetentionDays,
      ...(jwt === undefined ? {} : { jwt }),
    });
    for (const [{ everySeconds, events, routes }, target] of this.#functions) {
      if (everySeconds !== undefined) schedule.every(everySeconds, target);
      for (const type of events) this.#events.deliver(type, target, this.#deadLetters);
      for (const route of routes) api.add(route, target);
    }
    return api;
  }

  #watch({ api }: HttpApi): void {
    const { alarmTopic: topic, dashboard } = this.#site.settings;
    const deadLetters = this.#deadLetters;
    const { alarms } = new Alarms(this, 'Alarms', {
      functions: this.#functions,
      deadLetters,
      api,
      ...(topic === undefined ? {} : { topic }),
    });
    if (!dashboard) return;
    const made = [...this.#functions.values()];
    new SiteDashboard(this, 'Overview', { functions: made, alarms, table: this.#state.table, api, deadLetters });
  }
}

/** Site names may have `_`, which CloudFormation takes in no name. */
function stackName(site: string): string {
  return `esr-${site.replaceAll('_', '-')}`;
}

/** `push-total` is `PushTotal`. */
function constructId(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
