import type * as z from 'zod';
import { problem } from '../../contracts/common.ts';
import { leaseGranted, leaseHeld, sharedResources, totalsLease } from '../../contracts/controller.ts';
import type { Observation } from '../../domain/model.ts';
import type { Clock, Controller, LeaseOutcome, TotalOutcome, TotalReceiver, TotalUpdate } from '../../ports.ts';
import { AnswerInvalid, baseUrl, HttpError, validate, type HttpClient } from '../http/client.ts';
import { visible } from '../http/faults.ts';
import { signDocument } from '../signing/document.ts';
import type { SigningKey } from '../signing/keys.ts';
import { ControllerError } from './controller-error.ts';
import { toObservation, toTotalDocument } from './messages.ts';
import { totalOutcome } from './total-outcome.ts';

/** The controller of one site over its HTTP contract, read with a key of the role site. */
export class HttpController implements Controller {
  readonly #client: HttpClient;
  readonly #url: string;
  readonly #site: string;
  readonly #clock: Clock;
  readonly #lease: { readonly holder: string; readonly ttlSeconds: number };

  /** `url`: the contract's paths follow it. `holder` names us as owner of the site's totals. */
  constructor(options: {
    client: HttpClient;
    url: string;
    site: string;
    clock: Clock;
    holder: string;
    ttlSeconds: number;
  }) {
    this.#client = options.client;
    this.#url = baseUrl(options.url);
    this.#site = options.site;
    this.#clock = options.clock;
    this.#lease = { holder: options.holder, ttlSeconds: options.ttlSeconds };
  }

  /** Throws `ControllerError`. */
  async observe(peakWindowSeconds: number): Promise<Observation> {
    const url = `${this.#url}/v1/shared-resources?peakWindowSeconds=${peakWindowSeconds}`;
    const answer = await this.#request({ method: 'GET', url });
    const receivedAt = this.#clock.now();
    if (answer.status !== 200) throw refusal(`observing site ${this.#site}`, answer);
    const message = read(sharedResources, answer.body, `the shared resources of ${this.#site}`);
    if (message.site !== this.#site) {
      throw new ControllerError(
        'foreign',
        `observing site ${this.#site}: ${url} is the controller of ${message.site}; correct the address`,
      );
    }
    return toObservation(message, receivedAt);
  }

  /** Throws `ControllerError`. */
  async acquireLease(): Promise<LeaseOutcome> {
    const url = `${this.#url}/v1/provider-leases/${totalsLease}`;
    const answer = await this.#request({ method: 'PUT', url, json: this.#lease });
    if (answer.status === 200) {
      return { held: true, epoch: read(leaseGranted, answer.body, `the lease ${totalsLease}`).epoch };
    }
    const held = leaseHeld.safeParse(answer.body);
    if (answer.status !== 409 || !held.success) throw refusal(`acquiring the lease of site ${this.#site}`, answer);
    return { held: false, holder: held.data.holder };
  }

  async #request(call: Parameters<HttpClient['request']>[0]): ReturnType<HttpClient['request']> {
    try {
      return await this.#client.request(call);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      throw new ControllerError('unreachable', error.message, { cause: error });
    }
  }
}

/** Pushes totals to the controller of one site, with a key of the role provisioner. */
export class HttpTotalReceiver implements TotalReceiver {
  readonly #client: HttpClient;
  readonly #key: SigningKey;
  readonly #url: string;
  readonly #site: string;

  /** `key` signs the documents; `client` signs the calls. `url`: the contract's paths follow it. */
  constructor(options: { client: HttpClient; key: SigningKey; url: string; site: string }) {
    this.#client = options.client;
    this.#key = options.key;
    this.#url = baseUrl(options.url);
    this.#site = options.site;
  }

  async setTotal(update: TotalUpdate): Promise<TotalOutcome> {
    const url = `${this.#url}/v1/shared-resources/${encodeURIComponent(update.resource)}/total`;
    const body = await signDocument(toTotalDocument(this.#site, update), this.#key);
    try {
      const answer = await this.#client.request({
        method: 'PUT',
        url,
        raw: { contentType: 'application/jose', body },
      });
      return totalOutcome(answer, update);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return { outcome: 'unknown', detail: error.message };
    }
  }
}

function read<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  try {
    return validate(schema, body, what);
  } catch (error) {
    if (!(error instanceof AnswerInvalid)) throw error;
    throw new ControllerError('invalid', error.message, { cause: error });
  }
}

function refusal(doing: string, { status, body }: { status: number; body: unknown }): ControllerError {
  const { data } = problem.safeParse(body);
  return new ControllerError(
    'refused',
    `${doing}: answered ${status}, ${visible(data?.detail ?? data?.title ?? 'without a reason')}`,
  );
}
