import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import * as z from 'zod';
import type { Credentials } from '../../../shared/adapters/provider/iam-signer.ts';

/** Has `moto[server]`, an independent implementation of AWS's APIs. */
export const motoPython = join(tmpdir(), 'esr-python-tools', 'bin', 'python');
export const motoIsThere = existsSync(motoPython);
const mend = 'no moto; run scripts/python-tools.sh';
/** For the titles of tests that need moto. */
export const orMotoSkipped = motoIsThere ? '' : ` (skipped: ${mend})`;

// Nobody shall take tests that were skipped for tests that have passed.
if (!motoIsThere && process.env['CI'] === 'true') throw new Error(`looking for moto in CI: ${mend}`);

/** The account in which moto has everything that names no other. */
export const motoAccount = '123456789012';

export class Moto {
  readonly endpoint: string;
  readonly #process: ChildProcess;

  private constructor(endpoint: string, process: ChildProcess) {
    this.endpoint = endpoint;
    this.#process = process;
  }

  /** `program`: what Python runs, with the arguments of moto.server. */
  static async start(program = ['-m', 'moto.server'], environment: Record<string, string> = {}): Promise<Moto> {
    const port = await freePort();
    const args = [...program, '-H', '127.0.0.1', '-p', String(port)];
    const env = { ...process.env, ...environment };
    const moto = new Moto(`http://127.0.0.1:${port}`, spawn(motoPython, args, { stdio: 'ignore', env }));
    const answers = () =>
      fetch(`${moto.endpoint}/moto-api/`).then(
        () => true,
        () => false,
      );
    while (!(await answers())) await sleep(100);
    return moto;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }

  /** From now on calls need a signature, and rights. */
  async enforceAccess(): Promise<void> {
    await fetch(`${this.endpoint}/moto-api/reset-auth`, { method: 'POST', body: '0' });
  }

  /** The sessions that STS has made, of one role or of all. */
  async sessions(ofRole?: string): Promise<Credentials[]> {
    const data: unknown = await (await fetch(`${this.endpoint}/moto-api/data.json`)).json();
    const roles = made.parse(data).sts.AssumedRole.filter(({ role_arn }) => role_arn === (ofRole ?? role_arn));
    return roles.map((role) => ({
      accessKeyId: role.access_key_id,
      secretAccessKey: role.secret_access_key,
      sessionToken: role.session_token,
    }));
  }

  /** The answer of a service that speaks AWS's query protocol. */
  async call(
    service: 'iam' | 'sts',
    parameters: Record<string, string>,
    credentials: Credentials = setUp,
  ): Promise<string> {
    const client = new AwsClient({ ...credentials, service, region: 'us-east-1', retries: 0 });
    const answer = await client.fetch(this.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: new URLSearchParams(parameters).toString(),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${parameters['Action']}: ${text}`);
    return text;
  }
}

const made = z.object({
  sts: z.object({
    AssumedRole: z.array(
      z.object({
        role_arn: z.string(),
        access_key_id: z.string(),
        secret_access_key: z.string(),
        session_token: z.string(),
      }),
    ),
  }),
});

const setUp = { accessKeyId: 'AKIASETUP', secretAccessKey: 'set-up' };

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
