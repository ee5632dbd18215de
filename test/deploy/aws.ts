import { AwsClient } from 'aws4fetch';
import type * as z from 'zod';

export const region = 'us-east-1';
/** Of whoever deploys; moto takes any. */
export const deployer = { accessKeyId: 'AKIADEPLOYER', secretAccessKey: 'deployer' };

/** Reads what is deployed. */
export class Aws {
  readonly endpoint: string;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  /** The answer of a service that speaks JSON over REST. */
  async json<T>(service: 'lambda' | 'apigateway' | 'scheduler', path: string, schema: z.ZodType<T>): Promise<T> {
    return schema.parse(JSON.parse((await this.#get(service, path)).toString()));
  }

  /** The objects of a bucket. */
  async objects(bucket: string): Promise<Buffer[]> {
    const listing = (await this.#get('s3', `/${bucket}?list-type=2`)).toString();
    const keys = Array.from(listing.matchAll(/<Key>(.+?)<\/Key>/g), ([, key]) => key);
    return Promise.all(keys.map((key) => this.#get('s3', `/${bucket}/${key}`)));
  }

  async #get(service: string, path: string): Promise<Buffer> {
    const client = new AwsClient({ ...deployer, service, region, retries: 0 });
    const answer = await client.fetch(this.endpoint + path);
    const body = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`reading ${path} of ${service}: ${answer.status} ${body.toString()}`);
    return body;
  }
}
