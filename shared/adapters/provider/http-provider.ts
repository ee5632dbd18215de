import type * as z from 'zod';
import { description, grant, grantList, renewAnswer, returnAnswer } from '../../contracts/provider.ts';
import type { ProviderDescription, ProviderList } from '../../domain/model.ts';
import type { GrantOutcome, Provider, RenewOutcome, ReturnOutcome } from '../../ports.ts';
import { AnswerInvalid, baseUrl, HttpError, validate, type HttpClient } from '../http/client.ts';
import { exactTerms, listedGrants, notDone, requestOutcome, unknownBecause, type NotDone } from './outcomes.ts';
import { ProviderError } from './provider-error.ts';

/** A provider that serves the provider contract over HTTP. */
export class HttpProvider implements Provider {
  readonly name: string;
  readonly #client: HttpClient;
  readonly #url: string;
  readonly #site: string;

  /** `url`: the contract's paths follow it. */
  constructor(options: { name: string; client: HttpClient; url: string; site: string }) {
    this.name = options.name;
    this.#client = options.client;
    this.#url = baseUrl(options.url);
    this.#site = options.site;
  }

  async describe(): Promise<ProviderDescription> {
    const question = 'its description';
    const { name, revision, offers } = await this.#ask(question, '/v1/describe', description);
    if (name !== this.name)
      throw new ProviderError(this.name, question, `${name} answered; correct its URL or its name`);
    return { provider: name, revision, offers: offers.map((offer) => exactTerms(offer)) };
  }

  async list(): Promise<Omit<ProviderList, 'sentAt'>> {
    const question = `the grants of ${this.#site}`;
    const { site, grants } = await this.#ask(question, `/v1/grants?site=${encodeURIComponent(this.#site)}`, grantList);
    const foreign = [site, ...grants.map((each) => each.site)].find((each) => each !== this.#site);
    if (foreign !== undefined)
      throw new ProviderError(this.name, question, `it answered for ${foreign}; correct its URL, or mend the provider`);
    return { provider: this.name, grants: listedGrants(grants) };
  }

  async request(id: string, resource: string, tokens: number): Promise<GrantOutcome> {
    const body = { site: this.#site, resource, tokens };
    return this.#tell('PUT', grantPath(id), body, grant, (answer) => requestOutcome({ id, ...body }, answer));
  }

  async giveBack(id: string, returnId: string, tokens: number): Promise<ReturnOutcome> {
    return this.#tell('POST', `${grantPath(id)}/return`, { returnId, tokens }, returnAnswer, (answer) =>
      answer.id === id && answer.returnId === returnId
        ? { outcome: 'returned', tokens: answer.tokens }
        : unknownBecause(`answered for return ${answer.returnId} of grant ${answer.id}, not ${returnId} of ${id}`),
    );
  }

  async renew(id: string): Promise<RenewOutcome> {
    return this.#tell('POST', `${grantPath(id)}/renew`, undefined, renewAnswer, (answer) =>
      answer.id === id
        ? { outcome: 'renewed', leaseSeconds: answer.leaseSeconds }
        : unknownBecause(`answered for grant ${answer.id}, not ${id}`),
    );
  }

  /** Reads. Throws `ProviderError`. */
  async #ask<Answer>(question: string, path: string, schema: z.ZodType<Answer>): Promise<Answer> {
    try {
      const { status, body } = await this.#client.request({ method: 'GET', url: this.#url + path });
      if (status === 200) return validate(schema, body, question);
      throw new ProviderError(this.name, question, notDone(status, body).detail);
    } catch (error) {
      if (!isNoAnswer(error)) throw error;
      throw new ProviderError(this.name, question, error.message, { cause: error });
    }
  }

  /** Changes something. Once it may have been sent, whatever goes wrong leaves it unknown. */
  async #tell<Answer, Outcome>(
    method: 'PUT' | 'POST',
    path: string,
    json: unknown,
    schema: z.ZodType<Answer>,
    outcomeOf: (answer: Answer) => Outcome,
  ): Promise<Outcome | NotDone> {
    try {
      const { status, body } = await this.#client.request({ method, url: this.#url + path, json });
      return status === 200
        ? outcomeOf(validate(schema, body, `the answer to ${method} ${path}`))
        : notDone(status, body);
    } catch (error) {
      if (isNoAnswer(error)) return unknownBecause(error.message);
      throw error;
    }
  }
}

/** As it is: all that an id may hold can stand in a path, and API Gateway's HTTP APIs hand paths on decoded. */
function grantPath(id: string): string {
  return `/v1/grants/${id}`;
}

function isNoAnswer(error: unknown): error is HttpError | AnswerInvalid {
  return error instanceof HttpError || error instanceof AnswerInvalid;
}
