import { describe, expect, it } from 'vitest';
import { MemoryPoolStore } from '../../shared/pool/memory-store.ts';
import { Pool } from '../../shared/pool/pool.ts';
import { anOffer, HandClock, resource } from './support.ts';

const siteMaxima = new Map([['austin', new Map([[resource, 16]])]]);

function open(): Pool {
  return new Pool({
    name: 'burst',
    offers: [anOffer({ maximum: 48 }), anOffer({ resource: 'hfss_solve' })],
    siteMaxima,
    store: new MemoryPoolStore(),
    clock: new HandClock(),
  });
}

describe("a site's own maximum", () => {
  it('stands in the description that this site is given, and in no other', () => {
    const pool = open();
    const maxima = (site: string) => pool.describe(site).offers.map(({ maximum }) => maximum);
    expect(maxima('austin')).toEqual([16, 64]);
    expect(maxima('munich')).toEqual([48, 64]);
    expect(pool.describe('austin').revision).not.toBe(pool.describe('munich').revision);
  });

  it('is all that this site is lent, however much it asks for', async () => {
    const pool = open();
    const asked = { resource, tokens: 48 };
    expect(await pool.request('austin', 'a-1', asked)).toMatchObject({ state: 'granted', tokens: 16 });
    expect(await pool.request('austin', 'a-2', asked)).toMatchObject({ state: 'refused' });
    expect(await pool.request('munich', 'm-1', asked)).toMatchObject({ state: 'granted', tokens: 48 });
  });

  it('comes with the revision of the description that the site reads', async () => {
    const pool = open();
    const { revision } = pool.describe('austin');
    expect(await pool.request('austin', 'a-1', { resource, tokens: 8 })).toMatchObject({ revision });
    expect(await pool.list('austin')).toMatchObject([{ revision }]);
  });
});
