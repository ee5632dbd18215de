import { describe, expect, it } from 'vitest';
import { grant as grantContract } from '../../shared/contracts/provider.ts';
import { Pool } from '../../shared/pool/pool.ts';
import { ShelfContended } from '../../shared/pool/problem.ts';
import { MemoryPoolStore } from '../../shared/pool/memory-store.ts';
import { recentSeconds } from '../../shared/pool/shelf.ts';
import { anOffer, aPool, aShelf, HandClock, problemOf, resource } from './support.ts';

const ask = { resource, tokens: 16 };

describe('a request', () => {
  it('is answered with the grant, its terms and the revision of the description', async () => {
    const { pool } = aPool([anOffer({ leaseSeconds: 600 })]);
    const answer = await pool.request('munich', 'g-1', ask);
    const { capacity: _hidden, resource: _name, ...terms } = anOffer({ leaseSeconds: 600 });
    expect(answer).toEqual({
      id: 'g-1',
      state: 'granted',
      site: 'munich',
      resource,
      tokens: 16,
      ageSeconds: 0,
      terms,
      revision: pool.describe('munich').revision,
      expiresInSeconds: 600,
    });
    expect(grantContract.parse(answer)).toEqual(answer);
  });

  it('makes one grant, however often it arrives', async () => {
    const { pool, clock } = aPool();
    const first = await pool.request('munich', 'g-1', ask);
    clock.pass(30);
    expect(await pool.request('munich', 'g-1', ask)).toEqual({ ...first, ageSeconds: 30 });
    expect(await pool.list('munich')).toHaveLength(1);
  });

  it.each([
    ['another number of tokens', 'munich', { resource, tokens: 8 }],
    ['another resource', 'munich', { resource: 'hfss_solve', tokens: 16 }],
    ['another site', 'austin', ask],
  ])('with a known id and %s is a conflict, also when nothing is lent under it any more', async (_, site, body) => {
    const { pool, clock } = aPool([anOffer(), anOffer({ resource: 'hfss_solve' })]);
    await pool.request('munich', 'g-1', ask);
    const conflict = async () => (await problemOf(() => pool.request(site, 'g-1', body))).type;
    expect(await conflict()).toBe('conflict');
    await pool.giveBack('munich', 'g-1', { returnId: 'r', tokens: 16 });
    expect(await conflict()).toBe('conflict');
    clock.pass(recentSeconds + 1);
    await pool.request('munich', 'g-2', ask);
    expect(await conflict()).toBe('conflict');
  });

  it('that was refused stays refused, when tokens are free again and long after', async () => {
    const { pool, clock } = aPool();
    await pool.request('austin', 'theirs', { resource, tokens: 64 });
    const refused = await pool.request('munich', 'g-1', ask);
    expect(refused).toMatchObject({ state: 'refused', retryAfterSeconds: 60 });
    await pool.giveBack('austin', 'theirs', { returnId: 'r', tokens: 64 });
    expect(await pool.request('munich', 'g-1', ask)).toEqual(refused);
    clock.pass(recentSeconds + 1);
    await pool.request('munich', 'g-2', ask);
    expect(await pool.request('munich', 'g-1', ask)).toEqual(refused);
    expect(grantContract.parse(refused)).toEqual(refused);
  });

  it('whose grant has ended is told so, also long after, and nothing is lent again', async () => {
    const { pool, clock } = aPool([anOffer({ leaseSeconds: 600 })]);
    await pool.request('munich', 'g-1', ask);
    clock.pass(600);
    const endedAt = new Date(clock.now()).toISOString();
    const ended = { id: 'g-1', state: 'ended', site: 'munich', resource, endedAt };
    expect(await pool.request('munich', 'g-1', ask)).toEqual(ended);
    clock.pass(recentSeconds + 1);
    await pool.request('munich', 'g-2', ask);
    expect(await pool.request('munich', 'g-1', ask)).toEqual(ended);
  });

  it('for a resource that the pool does not lend is refused', async () => {
    const { pool } = aPool();
    expect((await problemOf(() => pool.request('munich', 'g-1', { resource: 'vcs', tokens: 1 }))).type).toBe(
      'unknown-resource',
    );
  });
});

describe('other terms than before', () => {
  const openAgain = (store: MemoryPoolStore, offers = [anOffer()]) =>
    new Pool({ name: 'burst', offers, store, clock: new HandClock() });

  it('leave a grant as it was made', async () => {
    const store = new MemoryPoolStore();
    const before = openAgain(store, [anOffer({ minimumHoldSeconds: 600 })]);
    const granted = await before.request('munich', 'g-1', ask);
    const after = openAgain(store, [anOffer({ block: 5 })]);
    expect(await after.get('munich', 'g-1')).toEqual({ ...granted, revision: after.describe('munich').revision });
    expect((await problemOf(() => after.giveBack('munich', 'g-1', { returnId: 'r', tokens: 16 }))).type).toBe(
      'minimum-hold',
    );
  });

  it('leave grants of a resource that is offered no more listed, renewable and returnable', async () => {
    const store = new MemoryPoolStore();
    await openAgain(store, [anOffer({ leaseSeconds: 600 })]).request('munich', 'g-1', ask);
    const after = openAgain(store, []);
    expect(await after.list('munich')).toMatchObject([{ id: 'g-1', state: 'granted' }]);
    expect(await after.request('munich', 'g-1', ask)).toMatchObject({ state: 'granted', tokens: 16 });
    expect(await after.renew('munich', 'g-1')).toBe(600);
    expect(await after.giveBack('munich', 'g-1', { returnId: 'r', tokens: 16 })).toBe(0);
  });
});

describe('a return', () => {
  it('of an id that the pool never saw is done, and a request that arrives later gets nothing', async () => {
    const { pool, store } = aPool();
    expect(await pool.giveBack('munich', 'g-1', { returnId: 'r', tokens: 16 })).toBe(0);
    expect(await pool.giveBack('munich', 'g-1', { returnId: 'r', tokens: 16 })).toBe(0);
    expect(await pool.request('munich', 'g-1', ask)).toMatchObject({ id: 'g-1', state: 'ended', resource });
    expect((await store.readShelf(resource))?.open ?? []).toEqual([]);
  });

  it('is answered with nothing lent for a grant that was refused or has ended', async () => {
    const { pool, clock } = aPool([anOffer({ leaseSeconds: 600 })]);
    await pool.request('munich', 'g-1', { resource, tokens: 64 });
    await pool.request('munich', 'g-2', ask);
    clock.pass(601);
    for (const id of ['g-1', 'g-2']) expect(await pool.giveBack('munich', id, { returnId: 'r', tokens: 16 })).toBe(0);
  });

  it('frees its tokens for others', async () => {
    const { pool } = aPool();
    await pool.request('munich', 'g-1', { resource, tokens: 64 });
    await pool.giveBack('munich', 'g-1', { returnId: 'r', tokens: 24 });
    expect(await pool.request('austin', 'g-2', { resource, tokens: 64 })).toMatchObject({ tokens: 24 });
  });
});

describe('the list', () => {
  it('has the open and lately ended grants of the site, and no others', async () => {
    const { pool, clock } = aPool([anOffer({ leaseSeconds: 600 }), anOffer({ resource: 'hfss_solve', block: 1 })]);
    await pool.request('munich', 'ended', { resource, tokens: 8 });
    clock.pass(300);
    await pool.request('munich', 'open', { resource, tokens: 8 });
    await pool.request('munich', 'other', { resource: 'hfss_solve', tokens: 1 });
    await pool.request('austin', 'theirs', { resource, tokens: 8 });
    await pool.recall('open', 90);
    clock.pass(301);
    expect(await pool.list('munich')).toMatchObject([
      { id: 'open', state: 'granted', ageSeconds: 301, recalled: { withinSeconds: 0 }, expiresInSeconds: 299 },
      { id: 'ended', state: 'ended' },
      { id: 'other', state: 'granted' },
    ]);
    expect(await pool.list('nobody')).toEqual([]);
  });
});

describe('a recall', () => {
  it('is told to the site with the time that is left', async () => {
    const { pool, clock } = aPool();
    await pool.request('munich', 'g-1', ask);
    expect(await pool.recall('g-1', 90)).toMatchObject({ recalled: { withinSeconds: 90 } });
    clock.pass(30);
    expect(await pool.get('munich', 'g-1')).toMatchObject({ tokens: 16, recalled: { withinSeconds: 60 } });
  });

  it.each([
    ['an id that was never lent', 'never', 'unknown-grant'],
    ['a grant that has ended', 'ended', 'not-lent'],
  ])('of %s is refused', async (_, id, type) => {
    const { pool } = aPool();
    await pool.request('munich', 'ended', ask);
    await pool.giveBack('munich', 'ended', { returnId: 'r', tokens: 16 });
    expect((await problemOf(() => pool.recall(id))).type).toBe(type);
  });
});

describe('another site', () => {
  it('finds no more than if the grant did not exist', async () => {
    const { pool } = aPool([anOffer({ leaseSeconds: 600 })]);
    await pool.request('munich', 'g-1', ask);
    const back = { returnId: 'r', tokens: 16 };
    for (const work of [
      () => pool.get('austin', 'g-1'),
      () => pool.renew('austin', 'g-1'),
      () => pool.giveBack('austin', 'g-1', back),
    ]) {
      const { type, message } = await problemOf(work);
      expect([type, message]).toEqual(['unknown-grant', expect.not.stringContaining('munich')]);
    }
    const never = await problemOf(() => pool.get('austin', 'g-0'));
    expect((await problemOf(() => pool.get('austin', 'g-1'))).message).toBe(never.message.replace('g-0', 'g-1'));
    expect(await pool.get('munich', 'g-1')).toMatchObject({ state: 'granted', tokens: 16 });
  });
});

describe('a store on which others always write first', () => {
  it('makes the pool give up in the end, with a word on what to do', async () => {
    const store = new MemoryPoolStore();
    store.writeShelf = async () => 'lost';
    const { pool } = aPool([anOffer()], store);
    await expect(pool.request('munich', 'g-1', ask)).rejects.toThrow(ShelfContended);
    await expect(pool.request('munich', 'g-1', ask)).rejects.toThrow('try again');
  });

  it('lets the pool through as soon as one write succeeds', async () => {
    const store = new MemoryPoolStore();
    let rivals = 3;
    const write = store.writeShelf.bind(store);
    store.writeShelf = async (next) => {
      if (rivals-- <= 0) return write(next);
      await write({ ...aShelf(), version: next.version });
      return 'lost';
    };
    const { pool } = aPool([anOffer()], store);
    expect(await pool.request('munich', 'g-1', ask)).toMatchObject({ state: 'granted' });
  });
});
