import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpProvider } from '../../../shared/adapters/provider/http-provider.ts';
import { PoolProvider } from '../../../shared/adapters/provider/pool-provider.ts';
import { MemoryPoolStore } from '../../../shared/pool/memory-store.ts';
import type { PoolOffer } from '../../../shared/pool/offer.ts';
import type { Pool } from '../../../shared/pool/pool.ts';
import type { Provider } from '../../../shared/ports.ts';
import { clientOf, servePool } from '../../pool/served-pool.ts';
import { anOffer, aPool, resource, type HandClock } from '../../pool/support.ts';
import { newParty, type Party } from '../signing/party.ts';

let munich: Party;

beforeAll(async () => {
  munich = await newParty('site', 'munich');
});

interface Opened {
  readonly provider: Provider;
  readonly pool: Pool;
  readonly clock: HandClock;
}

async function openHttp(offers: readonly PoolOffer[], store: MemoryPoolStore): Promise<Opened> {
  const { url, pool, clock } = await servePool([munich], { offers, store });
  return { provider: new HttpProvider({ name: 'burst', client: clientOf(munich), url, site: 'munich' }), pool, clock };
}

async function openHere(offers: readonly PoolOffer[], store: MemoryPoolStore): Promise<Opened> {
  const { pool, clock } = aPool(offers, store);
  return { provider: new PoolProvider({ pool, site: 'munich' }), pool, clock };
}

const { capacity: _hidden, resource: _name, ...terms } = anOffer({ leaseSeconds: 600, minimumHoldSeconds: 60 });

describe.each([
  ['HttpProvider', openHttp],
  ['PoolProvider', openHere],
])('%s', (_, open) => {
  let provider: Provider;
  let pool: Pool;
  let clock: HandClock;
  let store: MemoryPoolStore;

  beforeEach(async () => {
    store = new MemoryPoolStore();
    const offers = [
      anOffer({ leaseSeconds: 600, minimumHoldSeconds: 60 }),
      anOffer({ resource: 'hfss_solve', maximum: 8 }),
    ];
    ({ provider, pool, clock } = await open(offers, store));
  });

  it('has the name of its pool and reads its description', async () => {
    expect(provider.name).toBe('burst');
    const description = await provider.describe();
    expect(description).toEqual(pool.describe('munich'));
    expect(description.offers[1]).not.toHaveProperty('leaseSeconds');
  });

  it('is granted what it asks for, and the same again under the same id, with what is left of the lease', async () => {
    const granted = { outcome: 'granted', tokens: 16, terms, revision: pool.describe('munich').revision };
    expect(await provider.request('g:1@x+y', resource, 16)).toEqual({ ...granted, expiresInSeconds: 600 });
    clock.pass(200);
    expect(await provider.request('g:1@x+y', resource, 16)).toEqual({ ...granted, expiresInSeconds: 400 });
    expect(await pool.list('munich')).toHaveLength(1);
  });

  it('is granted fewer than it asks for', async () => {
    expect(await provider.request('g-1', 'hfss_solve', 30)).toMatchObject({ outcome: 'granted', tokens: 8 });
  });

  it('is refused with the reason and the time to wait', async () => {
    await pool.request('austin', 'theirs', { resource, tokens: 64 });
    const detail = '0 of 64 tokens are free, and tokens are lent in blocks of 8';
    expect(await provider.request('g-1', resource, 16)).toEqual({ outcome: 'refused', detail, retryAfterSeconds: 60 });
  });

  it('is refused what the pool does not lend, an id that stands for something else, and a grant that has ended', async () => {
    const detailOf = async (id: string, name: string, tokens: number) => {
      const outcome = await provider.request(id, name, tokens);
      return outcome.outcome === 'refused' ? outcome.detail : outcome.outcome;
    };
    expect(await detailOf('g-0', 'vcs', 1)).toContain('this pool lends none');
    await provider.request('g-1', resource, 16);
    expect(await detailOf('g-1', resource, 8)).toContain('the id stands for another request');
    clock.pass(600);
    expect(await detailOf('g-1', resource, 16)).toBe('grant g-1 has ended already');
  });

  it('gives back in parts, and once only', async () => {
    await provider.request('g-1', resource, 16);
    clock.pass(60);
    for (const [returnId, tokens] of [
      ['r-1', 8],
      ['r-1', 8],
      ['r-2', 0],
      ['r-2', 0],
    ] as const) {
      expect(await provider.giveBack('g-1', returnId, 8)).toEqual({ outcome: 'returned', tokens });
    }
    expect(await provider.list()).toEqual({ provider: 'burst', grants: [] });
  });

  it('may not give back before the minimum hold is over', async () => {
    await provider.request('g-1', resource, 16);
    const outcome = await provider.giveBack('g-1', 'r-1', 16);
    expect(outcome).toMatchObject({ outcome: 'refused', retryAfterSeconds: 60 });
    expect(outcome).toHaveProperty('detail', expect.stringContaining('minimum hold is not over for another 60 s'));
  });

  it('gives back an id that was never asked for, which then can not be lent', async () => {
    expect(await provider.giveBack('g-1', 'g-1.a', 16)).toEqual({ outcome: 'returned', tokens: 0 });
    expect(await provider.request('g-1', resource, 16)).toMatchObject({ outcome: 'refused' });
  });

  it('may not give back what another site has', async () => {
    await pool.request('austin', 'theirs', { resource, tokens: 16 });
    expect(await provider.giveBack('theirs', 'r-1', 16)).toMatchObject({ outcome: 'refused' });
    expect(await pool.get('austin', 'theirs')).toMatchObject({ state: 'granted', tokens: 16 });
  });

  it('renews a lease, and is refused where there is none', async () => {
    await provider.request('g-1', resource, 16);
    await provider.request('g-2', 'hfss_solve', 8);
    expect(await provider.renew('g-1')).toEqual({ outcome: 'renewed', leaseSeconds: 600 });
    expect(await provider.renew('g-2')).toMatchObject({ outcome: 'refused' });
    expect(await provider.renew('g-3')).toMatchObject({ outcome: 'refused' });
  });

  it('lists what is lent, with its age, its end and whether it is wanted back', async () => {
    await provider.request('g-1', resource, 16);
    await provider.request('g-2', 'hfss_solve', 8);
    await provider.request('refused', 'hfss_solve', 8);
    await pool.recall('g-1', 90);
    await pool.recall('g-2');
    clock.pass(30);
    const { grants } = await provider.list();
    expect(grants).toEqual([
      {
        id: 'g-1',
        resource,
        state: 'lent',
        tokens: 16,
        ageSeconds: 30,
        expiresInSeconds: 570,
        recalled: { withinSeconds: 60 },
        terms,
      },
      {
        id: 'g-2',
        resource: 'hfss_solve',
        state: 'lent',
        tokens: 8,
        ageSeconds: 30,
        recalled: {},
        terms: { block: 8, minimumHoldSeconds: 0, partialReturns: true, costPerTokenHour: 2 },
      },
    ]);
  });

  it('does not know what came of a call that met too many others', async () => {
    store.writeShelf = async () => 'lost';
    expect(await provider.request('g-1', resource, 16)).toMatchObject({ outcome: 'unknown' });
  });
});
