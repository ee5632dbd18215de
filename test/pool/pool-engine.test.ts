import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DynamoPoolStore } from '../../shared/pool/dynamo-store.ts';
import { Pool } from '../../shared/pool/pool.ts';
import { recentSeconds } from '../../shared/pool/shelf.ts';
import type { Clock } from '../../shared/ports.ts';
import { engineKinds, TestTable } from '../adapters/dynamodb/engines.ts';
import { injectFaults, type Fault } from '../adapters/dynamodb/faults.ts';
import { anOffer, HandClock, resource } from './support.ts';

const realClock: Clock = { now: Date.now, sleep: (milliseconds) => sleep(milliseconds) };
const sites = Array.from({ length: 64 }, (_, n) => `site-${n}`);

describe.each(engineKinds)('a pool on %s', (kind) => {
  const table = new TestTable(kind);

  /** Copies of one pool, each with a client of its own. */
  function copies(count: number, offers = [anOffer()], clock = realClock) {
    const { site: pool } = table.newSite();
    return Array.from({ length: count }, () => {
      const client = table.client();
      const store = new DynamoPoolStore({ client, table: table.table, pool });
      return { client, pool: new Pool({ name: 'burst', offers, store, clock }) };
    });
  }

  async function lentTo(pool: Pool, all: readonly string[]): Promise<number> {
    const lists = await Promise.all(all.map((site) => pool.list(site)));
    return lists.flat().reduce((sum, grant) => sum + (grant.state === 'granted' ? grant.tokens : 0), 0);
  }

  it('lends all that it has and not a token more when 64 sites ask two copies at once', async () => {
    const running = copies(2, [anOffer({ capacity: 400, maximum: 24 })]);
    const answers = await Promise.all(
      sites.map(async (site, n) => running[n % 2]?.pool.request(site, `g-${site}`, { resource, tokens: 16 })),
    );
    expect(answers.filter((answer) => answer?.state === 'granted')).toHaveLength(25);
    for (const { pool } of running) expect(await lentTo(pool, sites)).toBe(400);
  });

  it('makes one grant of an id that arrives at both copies many times at once', async () => {
    const running = copies(2);
    const answers = await Promise.all(
      Array.from({ length: 16 }, async (_, n) =>
        running[n % 2]?.pool.request('munich', 'g-1', { resource, tokens: 16 }),
      ),
    );
    expect(new Set(answers.map((answer) => answer?.state))).toEqual(new Set(['granted']));
    for (const { pool } of running) expect(await lentTo(pool, ['munich'])).toBe(16);
  });

  it('takes tokens back and lends them again while sites race for them', async () => {
    const running = copies(2, [anOffer({ capacity: 48 })]);
    const borrowed = await Promise.all(
      sites.slice(0, 12).map(async (site, n) => {
        const pool = running[n % 2]?.pool;
        const answer = await pool?.request(site, `g-${site}`, { resource, tokens: 16 });
        if (answer?.state !== 'granted') return 0;
        await pool?.giveBack(site, `g-${site}`, { returnId: 'r', tokens: 8 });
        return answer.tokens - 8;
      }),
    );
    const kept = borrowed.reduce((sum, tokens) => sum + tokens, 0);
    for (const { pool } of running) expect(await lentTo(pool, sites)).toBe(kept);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThanOrEqual(48);
  });

  it.each<[string, (Fault | undefined)[]]>([
    ['before the record of the ended grant', ['died before it was sent']],
    ['between the record of the ended grant and the shelf', [undefined, 'died before it was sent']],
    ['after the shelf', [undefined, 'died before the answer']],
  ])('loses no grant when it dies %s', async (_, faults) => {
    const clock = new HandClock();
    const [healthy, dying] = copies(2, [anOffer()], clock);
    if (healthy === undefined || dying === undefined) throw new Error('two copies expected');
    const ask = { resource, tokens: 16 };
    await healthy.pool.request('munich', 'g-1', ask);
    await healthy.pool.request('munich', 'g-2', ask);
    await healthy.pool.giveBack('munich', 'g-1', { returnId: 'r', tokens: 16 });
    clock.pass(recentSeconds + 1);

    injectFaults(dying.client, 'PutItemCommand', faults);
    await expect(dying.pool.giveBack('munich', 'g-2', { returnId: 'r', tokens: 8 })).rejects.toThrow('died');

    expect(await healthy.pool.request('munich', 'g-1', ask)).toMatchObject({ state: 'ended' });
    expect(await healthy.pool.giveBack('munich', 'g-2', { returnId: 'r', tokens: 8 })).toBe(8);
    expect(await healthy.pool.request('munich', 'g-1', ask)).toMatchObject({ state: 'ended' });
    expect(await lentTo(healthy.pool, ['munich'])).toBe(8);
  });

  it.each<[string, (Fault | undefined)[]]>([
    ['before its claim', ['died before it was sent']],
    ['between its claim and the shelf', [undefined, 'died before it was sent']],
    ['after the shelf', [undefined, 'died before the answer']],
  ])('makes one grant of a request whose first try died %s', async (_, faults) => {
    const [healthy, dying] = copies(2);
    if (healthy === undefined || dying === undefined) throw new Error('two copies expected');
    injectFaults(dying.client, 'PutItemCommand', faults);
    await expect(dying.pool.request('munich', 'g-1', { resource, tokens: 16 })).rejects.toThrow('died');
    expect(await healthy.pool.request('munich', 'g-1', { resource, tokens: 16 })).toMatchObject({ tokens: 16 });
    expect(await lentTo(healthy.pool, ['munich'])).toBe(16);
  });

  it('lends nothing under an id that was given back between its claim and the shelf', async () => {
    const [healthy, dying] = copies(2);
    if (healthy === undefined || dying === undefined) throw new Error('two copies expected');
    injectFaults(dying.client, 'PutItemCommand', [undefined, 'died before it was sent']);
    await expect(dying.pool.request('munich', 'g-1', { resource, tokens: 16 })).rejects.toThrow('died');
    expect(await healthy.pool.giveBack('munich', 'g-1', { returnId: 'r', tokens: 16 })).toBe(0);
    expect(await dying.pool.request('munich', 'g-1', { resource, tokens: 16 })).toMatchObject({ state: 'ended' });
    expect(await lentTo(healthy.pool, ['munich'])).toBe(0);
  });
});
