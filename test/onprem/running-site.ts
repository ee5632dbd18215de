import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startController, type RunningController, type StartOptions } from '../../onprem/server.ts';
import { toTotalDocument } from '../../shared/adapters/controller/messages.ts';
import { HttpClient, type Transport } from '../../shared/adapters/http/client.ts';
import { signDocument } from '../../shared/adapters/signing/document.ts';
import type { Role } from '../../shared/adapters/signing/keys.ts';
import type { Log, TotalUpdate } from '../../shared/ports.ts';
import type { TestTable } from '../adapters/dynamodb/engines.ts';
import { keyListOf, newParty, type Party } from '../adapters/signing/party.ts';
import { startFetching, startRelay } from '../relay/relay.ts';
import { ManualClock } from './manual-clock.ts';
import { configOf } from './support.ts';

export type Parties = Readonly<Record<Role, Party>>;

/** One key of each role, all of the site that `configOf` names. */
export async function newParties(): Promise<Parties> {
  const of = (role: Role): Promise<Party> => newParty(role, 'munich');
  return {
    provisioner: await of('provisioner'),
    site: await of('site'),
    reporter: await of('reporter'),
    worker: await of('worker'),
    controller: await of('controller'),
    operator: await of('operator'),
  };
}

export function clientOf(party: Party, transport: Transport = fetch): HttpClient {
  return new HttpClient({ key: party.key, subject: party.subject, audience: 'munich', transport });
}

/** A controller that listens until the test is over, with all that a test needs to talk to it. */
export class RunningSite {
  readonly clock = new ManualClock();
  readonly warnings: unknown[] = [];
  readonly directory = mkdtempSync(join(tmpdir(), 'controller-'));
  readonly #parties: Parties;
  readonly #options: Partial<StartOptions>;
  readonly #log: Log = {
    info: () => {},
    warn: (message, fields) => this.warnings.push({ message, ...fields }),
    alarm: (name, message) => this.warnings.push({ alarm: name, message }),
  };
  #running: RunningController | undefined;
  #transport: Transport = fetch;

  private constructor(parties: Parties, options: Partial<StartOptions>) {
    this.#parties = parties;
    this.#options = options;
    onTestFinished(async () => {
      await this.stop();
      rmSync(this.directory, { recursive: true });
    });
  }

  static async start(parties: Parties, options: Partial<StartOptions> = {}): Promise<RunningSite> {
    const site = new RunningSite(parties, options);
    await site.start();
    return site;
  }

  /** With calls that it fetches from a relay in `table`, instead of being called. */
  static async startPulled(
    table: TestTable,
    parties: Parties,
    options: Partial<StartOptions> = {},
  ): Promise<RunningSite> {
    const site = await RunningSite.start(parties, options);
    const { controller } = parties;
    const relay = await startRelay(table, { controller, log: site.#log });
    startFetching(relay, { controller, log: site.#log, answer: (request) => site.answer(request) });
    site.#transport = relay.transport;
    return site;
  }

  async start(): Promise<void> {
    this.#running = await startController({
      config: configOf('hfsshpc'),
      keys: await keyListOf(...Object.values(this.#parties)),
      directory: this.directory,
      host: '127.0.0.1',
      port: 0,
      clock: this.clock,
      log: this.#log,
      ...this.#options,
    });
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.close();
  }

  get url(): string {
    return this.#current.url;
  }

  get #current(): RunningController {
    if (this.#running === undefined) throw new Error('the controller is stopped');
    return this.#running;
  }

  answer(request: Request): Promise<Response> {
    return this.#current.answer(request);
  }

  clientOf(party: Party): HttpClient {
    return clientOf(party, this.#transport);
  }

  call(role: Role, method: string, path: string, json?: unknown): Promise<{ status: number; body: unknown }> {
    const call = { method, url: `${this.url}${path}` };
    return this.clientOf(this.#parties[role]).request(json === undefined ? call : { ...call, json });
  }

  observe(): Promise<{ status: number; body: unknown }> {
    return this.call('site', 'GET', '/v1/shared-resources?peakWindowSeconds=60');
  }

  /** As the provisioner does it, unless `over` says otherwise. */
  async putTotal(
    update: TotalUpdate,
    over: { caller?: Party; signer?: Party; site?: string; resource?: string; jws?: string; contentType?: string } = {},
  ): Promise<{ status: number; body: unknown }> {
    const { provisioner } = this.#parties;
    const { caller = provisioner, signer = provisioner, site = 'munich', resource = update.resource } = over;
    const body = over.jws ?? (await signDocument(toTotalDocument(site, update), signer.key));
    return this.clientOf(caller).request({
      method: 'PUT',
      url: `${this.url}/v1/shared-resources/${encodeURIComponent(resource)}/total`,
      raw: { contentType: over.contentType ?? 'application/jose', body },
    });
  }
}
