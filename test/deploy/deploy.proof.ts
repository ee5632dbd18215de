/**
 * A deploy that is carried out: both stacks, deployed by the CDK command to moto, an independent implementation of AWS's
 * APIs; then the artefacts that it uploaded, run with the environments that it gave to the functions. What moto can't do
 * is in docs/deployment.md.
 */
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { functionsFor, type FunctionSpec } from '../../functions/manifest.ts';
import { resourceList } from '../../shared/contracts/status.ts';
import { region } from './aws.ts';
import { deployBoth, output, reader, resource, site, type Deployment } from './deployment.ts';
import { schedulesOf } from './deployed.ts';
import { busOf, putSecret, readersOf, tableOf } from './made.ts';
import { Onlooker } from './onlooker.ts';

const node = process.env['ESR_NODE24'];
if (node === undefined) throw new Error('looking for the Node of the functions: run npm run deploy-proof');

const manifest = functionsFor('push');
const parts: (() => Promise<unknown>)[] = [];
let deployment: Deployment;

beforeAll(async () => {
  deployment = await deployBoth(node, parts);
}, 300_000);

afterAll(async () => {
  for (const close of parts.reverse()) await close();
}, 60_000);

const siteFunction = (name: string) => {
  const found = deployment.siteStack.functions.find(({ FunctionName }) => FunctionName === `esr-${site}-${name}`);
  if (found === undefined) throw new Error(`there is no function ${name}`);
  return found;
};
const rolesOf = (specs: readonly FunctionSpec[]) => specs.map(({ name }) => siteFunction(name).Role).sort();
const variable = (name: string, of: string) => siteFunction(name).Environment.Variables[of] ?? '';

describe('what is deployed', () => {
  it('has tables on demand that are not deleted by mistake', async () => {
    const { aws, poolStack, siteStack } = deployment;
    const tables = new Set(
      [...poolStack.functions, ...siteStack.functions].map((each) => each.Environment.Variables['ESR_TABLE']),
    );
    expect(tables.size).toBe(2);
    for (const table of tables)
      expect(await tableOf(aws, table)).toEqual({
        keys: ['pk', 'sk'],
        billing: 'PAY_PER_REQUEST',
        deletionProtection: true,
      });
  });

  it('has functions for Node 24 on arm64, each with a role of its own and its document as a layer', () => {
    const functions = [...deployment.poolStack.functions, ...deployment.siteStack.functions];
    expect(new Set(functions.map(({ Role }) => Role)).size).toBe(functions.length);
    for (const { Runtime, Architectures, Handler, Layers } of functions)
      expect([Runtime, Architectures, Handler, Layers.length]).toEqual(['nodejs24.x', ['arm64'], 'index.handler', 1]);
  });

  it.each(['ESR_SITE_KEY_SECRET', 'ESR_PROVISIONER_KEY_SECRET'])(
    'denies the secret of %s to all but the functions that have it in their environment',
    async (name) => {
      const holders = deployment.siteStack.functions.filter((each) => name in each.Environment.Variables);
      const secret = holders[0]?.Environment.Variables[name] ?? '';
      expect(await readersOf(deployment.aws, secret)).toEqual(holders.map(({ Role }) => Role).sort());
    },
  );

  it('has a bus whose events call the functions that act on them, and denies it to all but those that put events', async () => {
    const { sources, targets } = await busOf(deployment.aws, variable('reconcile', 'ESR_BUS'));
    const called = manifest.flatMap(({ name, events }) =>
      events.map((type) => [type, [siteFunction(name).FunctionArn]]),
    );
    expect(targets).toEqual(Object.fromEntries(called));
    expect(sources).toEqual(rolesOf(manifest.filter(({ puts }) => puts.length > 0)));
  });

  it('has a schedule of a minute for each function that runs without events, too', async () => {
    const schedules = await schedulesOf(deployment.aws);
    const scheduled = manifest.filter(({ everySeconds }) => everySeconds === 60);
    expect(schedules.map(({ Target }) => Target.Arn).sort()).toEqual(
      scheduled.map(({ name }) => siteFunction(name).FunctionArn).sort(),
    );
    for (const each of schedules)
      expect(each).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
  });

  it('guards every route by IAM but those whose functions check signatures', () => {
    const routes = [...deployment.poolStack.routes, ...deployment.siteStack.routes];
    const open = routes.filter(({ authorization }) => authorization !== 'AWS_IAM');
    const checked = manifest.flatMap(({ name, routes }) =>
      routes
        .filter(({ authentication }) => authentication === 'function')
        .map(({ method, path }) => ({
          key: `${method} ${path}`,
          authorization: 'NONE',
          target: siteFunction(name).FunctionArn,
        })),
    );
    expect(open).toEqual(checked);
  });
});

describe('the deployed functions', () => {
  let onlooker: Onlooker;
  let stopSchedule = () => {};

  beforeAll(async () => {
    onlooker = await Onlooker.of(deployment);
  });
  afterAll(() => stopSchedule());

  it('run under Node 24', () => {
    const { poolStack, siteStack } = deployment;
    const versions = [...poolStack.instances.values(), ...siteStack.instances.values()].map((each) => each.nodeVersion);
    expect(versions.every((version) => version.startsWith('v24.'))).toBe(true);
  });

  it('say which secret lacks its key, and act as soon as it is there', async () => {
    const { aws, keys, lambda, outputs } = deployment;
    const pass = () => lambda.invoke(siteFunction('reconcile').FunctionArn, {});
    await expect(pass()).rejects.toThrow(
      `reading the secret ${variable('reconcile', 'ESR_SITE_KEY_SECRET')}: it holds no JSON document`,
    );
    await putSecret(aws, output(outputs, 'SiteKeyPut'), keys.site.privateKey);
    await putSecret(aws, output(outputs, 'ProvisionerKeyPut'), keys.provisioner.privateKey);
    expect(await pass()).toBe('done');
  });

  it('borrow for a job that waits, and raise the total so that it starts', async () => {
    printLogOnFailure();
    await onlooker.submit({ [resource]: 20 }, 5);
    await expect.poll(() => onlooker.totals(), within(60_000)).toEqual({ total: 24, lent: 16 });
  }, 70_000);

  it('show what is borrowed to readers whom IAM knows, and to no others', async () => {
    const url = `${deployment.siteStack.url}/v1/resources`;
    expect((await fetch(url)).status).toBe(403);
    const answer = await new AwsClient({ ...reader, service: 'execute-api', region }).fetch(url);
    const { resources } = resourceList.parse(await answer.json());
    expect(resources).toMatchObject([{ name: resource, ledger: { owned: 8, borrowed: 16, total: 24 } }]);
  });

  it('lower the total when the tokens have gone unused, and give them back', async () => {
    printLogOnFailure();
    expect(await onlooker.totals()).toEqual({ total: 24, lent: 16 });
    stopSchedule = await onlooker.runSchedules();
    await expect.poll(() => onlooker.totals(), within(280_000)).toEqual({ total: 8, lent: 0 });
    expect(await onlooker.grants()).toEqual([]);
  }, 300_000);

  it('have not failed once', () => {
    expect(deployment.lambda.failures).toEqual([]);
  });
});

const within = (milliseconds: number) => ({ timeout: milliseconds, interval: 500 });

function printLogOnFailure(): void {
  onTestFailed(() => console.error(deployment.log.slice(-60).join('\n')));
}
