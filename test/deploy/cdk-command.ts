import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { motoAccount } from '../adapters/provider/moto.ts';
import { deployer, region } from './aws.ts';
import { run } from './run.ts';

/** Where the CDK command uploads to, by its default naming. */
export const assetBucket = `cdk-hnb659fds-assets-${motoAccount}-${region}`;

/** The CDK command as it is installed here, for an AWS at another endpoint. */
export class CdkCommand {
  readonly #endpoint: string;
  readonly #folder: string;

  constructor(endpoint: string, folder: string) {
    this.#endpoint = endpoint;
    this.#folder = folder;
  }

  async bootstrap(): Promise<void> {
    await this.#run('bootstrap', `aws://${motoAccount}/${region}`);
  }

  /** Answers the outputs of the one stack that is made of a file. */
  async deploy(kind: 'site' | 'pool', file: string): Promise<Record<string, string>> {
    const outputs = join(this.#folder, `${kind}-outputs.json`);
    const assembly = join(this.#folder, `${kind}.out`);
    // By CreateStack: of what moto makes by a change set it tells no outputs.
    const options = ['--method=direct', '--require-approval=never', '--output', assembly, '--outputs-file', outputs];
    await this.#run('deploy', '--context', `${kind}=${file}`, ...options);
    const [stack] = Object.values(outputsFile.parse(JSON.parse(await readFile(outputs, 'utf8'))));
    return stack ?? {};
  }

  async #run(...parameters: string[]): Promise<void> {
    await run(process.execPath, ['node_modules/aws-cdk/bin/cdk', ...parameters], {
      PATH: process.env['PATH'],
      // No configuration of AWS of whoever runs this.
      HOME: this.#folder,
      CI: 'true',
      NO_COLOR: '1',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: deployer.accessKeyId,
      AWS_SECRET_ACCESS_KEY: deployer.secretAccessKey,
      AWS_ENDPOINT_URL: this.#endpoint,
      // moto's CloudFormation takes the addresses that templates have at AWS.
      AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: `https://s3.${region}.amazonaws.com`,
    });
  }
}

const outputsFile = z.record(z.string(), z.record(z.string(), z.string()));
