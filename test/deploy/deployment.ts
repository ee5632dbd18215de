/** A pool and a site that the CDK command has deployed to moto, with their functions as processes. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startController } from '../../onprem/server.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { KeyList, loadSigningKey, type Role } from '../../shared/adapters/signing/keys.ts';
import { systemClock } from '../../shared/adapters/system-clock.ts';
import { loadSiteFile } from '../../shared/config/load.ts';
import { Moto, motoAccount } from '../adapters/provider/moto.ts';
import { Artefacts } from './artefacts.ts';
import { Aws, region } from './aws.ts';
import { assetBucket, CdkCommand } from './cdk-command.ts';
import { functionsOf, layerDigests, routesOf } from './deployed.ts';
import { environmentOf } from './function-environment.ts';
import { FunctionInstance } from './function-instance.ts';
import { newKey, type NewKey } from './keys.ts';
import { Lambda } from './lambda.ts';
import { serveApi } from './served-api.ts';

export const site = 'austin';
export const pool = 'burst';
export const resource = 'hfsshpc';
export const externalId = 'burst-austin-5f0c1d9a';

const poolFile = {
  pool,
  offers: { [resource]: { capacity: 64, block: 8, minimumHold: '30s', costPerTokenHour: 0.3 } },
  sites: { [site]: { keys: 'site-keys.json', account: motoAccount, externalId } },
  deploy: { region },
};

const siteFile = {
  site,
  // Here everything is on one machine.
  allowAddresses: ['127.0.0.1'],
  providers: [{ name: pool, kind: 'pool' as const, url: 'http://127.0.0.1:9' }],
  resources: {
    [resource]: {
      shared: true,
      total: 8,
      elastic: { providers: [pool], maxBorrowed: 64, borrowAfter: '0s', returnAfter: '1m', linger: '0s' },
    },
  },
  deploy: { region },
};

/** Whoever reads the status API, and has credentials of the account. */
export const reader = { accessKeyId: 'AKIAREADER', secretAccessKey: 'reader' };

export type Deployment = Awaited<ReturnType<typeof deployBoth>>;

/** `node` is the program that runs the functions. Parts are added to `parts` as they start, for whoever closes them. */
export async function deployBoth(node: string, parts: (() => Promise<unknown>)[]) {
  const folder = await mkdtemp(join(tmpdir(), 'esr-deploy-'));
  parts.push(() => rm(folder, { recursive: true }));
  const lambda = await Lambda.start();
  parts.push(() => lambda.close());
  const moto = await Moto.start(['test/deploy/moto_server.py'], { ESR_LAMBDA_URL: lambda.url });
  parts.push(() => moto.stop());
  const aws = new Aws(moto.endpoint);
  const cdk = new CdkCommand(moto.endpoint, folder);
  await cdk.bootstrap();

  const keys = await newKeys(folder);
  const keyFile = async (name: string, listed: readonly NewKey[]) =>
    writeFile(join(folder, name), JSON.stringify({ keys: listed.map(({ entry }) => entry) }));
  await keyFile('site-keys.json', [keys.site]);
  await keyFile('controller-keys.json', [keys.controller]);

  /** Starts the functions of a stack, and serves its API. */
  const log: string[] = [];
  const run = async (stack: string, url: string, known: Parameters<typeof serveApi>[0]['known']) => {
    const functions = await functionsOf(aws, stack);
    const artefacts = await Artefacts.read(aws, assetBucket, folder);
    const instances = new Map<string, FunctionInstance>();
    for (const each of functions) {
      const instance = await FunctionInstance.start({
        node,
        code: await artefacts.unpack(`${each.FunctionName}-code`, [each.CodeSha256]),
        environment: await environmentOf(
          each,
          await artefacts.unpack(`${each.FunctionName}-opt`, await layerDigests(aws, each)),
          moto.endpoint,
        ),
        write: (line) => log.push(`${each.FunctionName}: ${line}`),
      });
      instances.set(each.FunctionName, instance);
      lambda.add(each.FunctionArn, instance);
    }
    const routes = await routesOf(aws, url);
    const api = await serveApi({ routes, invoke: (arn, event) => lambda.invoke(arn, event), known });
    parts.push(() => api.close());
    return { functions, instances, routes, url: api.url };
  };

  const poolPath = join(folder, 'pool.yaml');
  await writeFile(poolPath, stringify(poolFile));
  const poolOutputs = await cdk.deploy('pool', poolPath);
  const roleArn = output(poolOutputs, `Site${site}RoleArn`);
  const poolStack = await run(`esr-pool-${pool}`, output(poolOutputs, 'ApiUrl'), () => moto.sessions(roleArn));

  const sitePath = join(folder, 'site.yaml');
  await writeFile(sitePath, stringify(siteFile));
  let demandUrl = '';
  const controller = await startController({
    config: (await loadSiteFile(sitePath)).controllerConfig,
    keys: await KeyList.parse({ keys: Object.values(keys).map(({ entry }) => entry) }),
    directory: join(folder, 'controller'),
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    log: new JsonLog((line) => log.push(`controller: ${line}`)),
    demand: { url: () => demandUrl, key: await loadSigningKey(JSON.parse(keys.controller.privateKey)) },
  });
  parts.push(() => controller.close());

  const auth = { kind: 'iam', region, roleArn, externalId };
  const deployable = {
    ...siteFile,
    controller: { url: controller.url, keys: 'controller-keys.json' },
    providers: siteFile.providers.map((provider) => ({ ...provider, url: poolStack.url, auth })),
  };
  await writeFile(sitePath, stringify(deployable));
  const outputs = await cdk.deploy('site', sitePath);
  const siteStack = await run(`esr-${site}`, output(outputs, 'ApiUrl'), async () => [reader]);
  demandUrl = `${siteStack.url}/v1/demand`;
  return { aws, lambda, log, keys, controller, outputs, roleArn, poolStack, siteStack };
}

/** The one output whose name begins so: what follows is a digest. */
export function output(outputs: Readonly<Record<string, string>>, name: string): string {
  const found = Object.entries(outputs).find(([key]) => key.startsWith(name));
  if (found === undefined) throw new Error(`looking for the output ${name}: there is ${Object.keys(outputs).join()}`);
  return found[1];
}

async function newKeys(folder: string) {
  const made = join(folder, 'keys');
  await mkdir(made);
  const key = (role: Role) => newKey(role, site, made);
  return {
    site: await key('site'),
    provisioner: await key('provisioner'),
    controller: await key('controller'),
    worker: await key('worker'),
  };
}
