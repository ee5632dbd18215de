import type { ProviderDescription, ProviderList } from '../../domain/model.ts';
import type { Pool } from '../../pool/pool.ts';
import { PoolProblem, ShelfContended } from '../../pool/problem.ts';
import type { GrantOutcome, Provider, RenewOutcome, ReturnOutcome } from '../../ports.ts';
import { listedGrants, refusedBecause, requestOutcome, unknownBecause, type NotDone } from './outcomes.ts';

/** A pool in this process, for simulations. It answers as the same pool does over HTTP. */
export class PoolProvider implements Provider {
  readonly name: string;
  readonly #pool: Pool;
  readonly #site: string;

  constructor({ pool, site }: { pool: Pool; site: string }) {
    this.name = pool.name;
    this.#pool = pool;
    this.#site = site;
  }

  async describe(): Promise<ProviderDescription> {
    return this.#pool.describe(this.#site);
  }

  async list(): Promise<Omit<ProviderList, 'sentAt'>> {
    return { provider: this.name, grants: listedGrants(await this.#pool.list(this.#site)) };
  }

  async request(id: string, resource: string, tokens: number): Promise<GrantOutcome> {
    const asked = { id, site: this.#site, resource, tokens };
    return outcomeOf(async () => requestOutcome(asked, await this.#pool.request(this.#site, id, { resource, tokens })));
  }

  async giveBack(id: string, returnId: string, tokens: number): Promise<ReturnOutcome> {
    return outcomeOf(async () => {
      const left = await this.#pool.giveBack(this.#site, id, { returnId, tokens });
      return { outcome: 'returned', tokens: left };
    });
  }

  async renew(id: string): Promise<RenewOutcome> {
    return outcomeOf(async () => ({ outcome: 'renewed', leaseSeconds: await this.#pool.renew(this.#site, id) }));
  }
}

async function outcomeOf<Outcome>(change: () => Promise<Outcome>): Promise<Outcome | NotDone> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof PoolProblem) return refusedBecause(error.message, error.retryAfterSeconds);
    if (error instanceof ShelfContended) return unknownBecause(error.message);
    throw error;
  }
}
