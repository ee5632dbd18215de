import { HttpClient } from '../../shared/adapters/http/client.ts';
import { assumedRole } from '../../shared/adapters/provider/assumed-role.ts';
import { HttpProvider } from '../../shared/adapters/provider/http-provider.ts';
import { IamSigner } from '../../shared/adapters/provider/iam-signer.ts';
import { loadSigningKey } from '../../shared/adapters/signing/keys.ts';
import { sharedResources } from '../../shared/contracts/controller.ts';
import { submitJobs } from '../../shared/local/submit-jobs.ts';
import { deployer, region } from './aws.ts';
import { externalId, pool, site, type Deployment } from './deployment.ts';
import { schedulesOf } from './deployed.ts';

/** Submits jobs to the controller of a deployment, and asks the controller and the pool how things are. */
export class Onlooker {
  readonly #deployment: Deployment;
  readonly #worker: HttpClient;
  readonly #controller: HttpClient;
  readonly #pool: HttpProvider;

  private constructor(deployment: Deployment, worker: HttpClient, controller: HttpClient, provider: HttpProvider) {
    this.#deployment = deployment;
    this.#worker = worker;
    this.#controller = controller;
    this.#pool = provider;
  }

  static async of(deployment: Deployment): Promise<Onlooker> {
    const { aws, keys, roleArn, poolStack } = deployment;
    const parties = { subject: site, audience: site };
    const key = await loadSigningKey(JSON.parse(keys.site.privateKey));
    const worker = new HttpClient({ ...parties, key: await loadSigningKey(JSON.parse(keys.worker.privateKey)) });
    const obtain = assumedRole({ roleArn, externalId }, site, {
      AWS_ENDPOINT_URL_STS: aws.endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: deployer.accessKeyId,
      AWS_SECRET_ACCESS_KEY: deployer.secretAccessKey,
    });
    const platform = new IamSigner({ region, obtain });
    const client = new HttpClient({ key, subject: site, audience: pool, platform });
    const provider = new HttpProvider({ name: pool, client, url: poolStack.url, site });
    return new Onlooker(deployment, worker, new HttpClient({ ...parties, key }), provider);
  }

  async submit(needs: Readonly<Record<string, number>>, runSeconds: number): Promise<void> {
    await submitJobs(this.#worker, this.#deployment.controller.url, [{ submit: Date.now(), needs, runSeconds }], 0);
  }

  /** The total that the controller applies, and the tokens that the pool counts as lent. */
  async totals() {
    const url = `${this.#deployment.controller.url}/v1/shared-resources`;
    const { body } = await this.#controller.request({ method: 'GET', url });
    const grants = await this.grants();
    return {
      total: sharedResources.parse(body).resources[0]?.total,
      lent: grants.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }

  /** Those that the pool has not seen the end of. */
  async grants() {
    return (await this.#pool.list()).grants.filter(({ state }) => state !== 'ended');
  }

  /** What EventBridge Scheduler does with the schedules, six times as often. Answers how to stop it. */
  async runSchedules(): Promise<() => void> {
    const { aws, lambda } = this.#deployment;
    const schedules = await schedulesOf(aws);
    const timer = setInterval(() => {
      for (const { Target } of schedules) lambda.notify(Target.Arn, {});
    }, 10_000);
    return () => clearInterval(timer);
  }
}
