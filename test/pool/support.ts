import type { Instant } from '../../shared/domain/model.ts';
import { stockOffers, type PoolOffer, type StockedOffer } from '../../shared/pool/offer.ts';
import { Pool } from '../../shared/pool/pool.ts';
import { PoolProblem } from '../../shared/pool/problem.ts';
import { emptyShelf, type ClaimedGrant, type OpenGrant, type Shelf } from '../../shared/pool/shelf.ts';
import { MemoryPoolStore } from '../../shared/pool/memory-store.ts';
import type { PoolStore } from '../../shared/pool/store.ts';
import type { Clock } from '../../shared/ports.ts';

export const resource = 'hfsshpc';
export const start: Instant = Date.UTC(2026, 0, 5, 8);

/** Stands still until it is moved. */
export class HandClock implements Clock {
  #now = start;

  now(): Instant {
    return this.#now;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
  }

  pass(seconds: number): void {
    this.#now += seconds * 1000;
  }
}

/** 64 tokens in blocks of 8, without hold or lease, that may be given back in parts. */
export function anOffer(terms: Partial<PoolOffer> = {}): PoolOffer {
  return {
    resource,
    capacity: 64,
    block: 8,
    minimumHoldSeconds: 0,
    partialReturns: true,
    costPerTokenHour: 2,
    ...terms,
  };
}

export function stocked(terms: Partial<PoolOffer> = {}): StockedOffer {
  const [offer] = stockOffers('burst', [anOffer(terms)]).values();
  if (offer === undefined) throw new Error('no offer');
  return offer;
}

export function aClaim(claim: Partial<ClaimedGrant> = {}): ClaimedGrant {
  return { state: 'claimed', id: 'g-1', site: 'munich', resource, asked: 16, ...claim };
}

export function aGrant(grant: Partial<OpenGrant> = {}): OpenGrant {
  const { block, minimumHoldSeconds, partialReturns, costPerTokenHour } = anOffer();
  return {
    ...aClaim(),
    state: 'open',
    tokens: 16,
    madeAt: start,
    terms: { block, minimumHoldSeconds, partialReturns, costPerTokenHour },
    returns: [],
    ...grant,
  };
}

export function aShelf(...open: OpenGrant[]): Shelf {
  return { ...emptyShelf(resource), version: 1, open };
}

/** A pool that nobody has borrowed from, on a clock that stands still. */
export function aPool(offers: readonly PoolOffer[] = [anOffer()], store: PoolStore = new MemoryPoolStore()) {
  const clock = new HandClock();
  return { clock, store, pool: new Pool({ name: 'burst', offers, store, clock }) };
}

/** The problem that `work` meets. */
export async function problemOf(work: () => unknown): Promise<PoolProblem> {
  try {
    await work();
  } catch (error) {
    if (error instanceof PoolProblem) return error;
    throw error;
  }
  throw new Error('there was no problem');
}
