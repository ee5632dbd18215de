import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { OversizedItemError } from '../../../shared/adapters/dynamodb/errors.ts';
import { DynamoRelayStore } from '../../../shared/adapters/dynamodb/relay.ts';
import type { HandedOut, RelayedAnswer, RelayedCall } from '../../../shared/relay/relay-store.ts';
import { engineKinds, TestTable } from './engines.ts';
import { injectFaults, noteCalls } from './faults.ts';

const now = 1_700_000_000_000;
const until = now + 8_000;
const put = z.object({ Item: z.object({ pk: z.unknown(), expiresAt: z.object({ N: z.string() }) }) });

function callOf(target: string): RelayedCall {
  return { method: 'PUT', target, headers: { authorization: 'Bearer x', 'content-type': 'text/plain' }, body: 'é' };
}

function answerOf(body: Uint8Array): RelayedAnswer {
  return { status: 409, contentType: 'application/problem+json', body };
}

/** Bytes as a text, which is compared a thousand times as fast. */
function comparable(answer: RelayedAnswer | undefined): object | undefined {
  return answer && { ...answer, body: Buffer.from(answer.body).toString('base64') };
}

async function taken(store: DynamoRelayStore, at = now): Promise<readonly HandedOut[]> {
  const calls = await store.take(await store.begin(at), at);
  if (calls === 'displaced') throw new Error('displaced by nobody');
  return calls;
}

describe.each(engineKinds)('DynamoRelayStore on %s', (kind) => {
  const table = new TestTable(kind);

  /** A relay with one call that has been handed out. */
  async function withTaken(): Promise<{ store: DynamoRelayStore; id: string }> {
    const store = new DynamoRelayStore(table.newSite());
    const id = await store.leave(callOf('/v1/a'), until);
    await taken(store);
    return { store, id };
  }

  it('hands out each call as it was left, the oldest first, and once', async () => {
    const store = new DynamoRelayStore(table.newSite());
    const ids: string[] = [];
    for (const index of [0, 1, 2]) ids.push(await store.leave(callOf(`/v1/${index}`), until + index));
    expect(await taken(store)).toEqual(ids.map((id, index) => ({ id, call: callOf(`/v1/${index}`) })));
    expect(await taken(store)).toEqual([]);
  });

  it('hands out ten at a time', async () => {
    const store = new DynamoRelayStore(table.newSite());
    for (let index = 0; index < 12; index += 1) await store.leave(callOf(`/v1/${index}`), until + index);
    expect(await taken(store)).toHaveLength(10);
    expect((await taken(store)).map(({ call }) => call.target)).toEqual(['/v1/10', '/v1/11']);
  });

  it('hands out each call to one of those who ask at once', async () => {
    const site = table.newSite();
    const store = new DynamoRelayStore(site);
    const ids = await Promise.all([1, 2, 3, 4].map((index) => store.leave(callOf(`/v1/${index}`), until)));
    const fetcher = await store.begin(now);
    const all = await Promise.all([1, 2, 3].map(() => new DynamoRelayStore(site).take(fetcher, now)));
    expect(all.flatMap((some) => (some === 'displaced' ? [] : some.map(({ id }) => id))).sort()).toEqual(ids.sort());
  });

  it('hands out nothing more to whoever began before another', async () => {
    const store = new DynamoRelayStore(table.newSite());
    const [former, latest] = [await store.begin(now), await store.begin(now)];
    const id = await store.leave(callOf('/v1/a'), until);
    expect(await store.take(former, now)).toBe('displaced');
    expect(await store.take(latest, now)).toMatchObject([{ id }]);
  });

  it('hands out a call whose taking was done and not acknowledged', async () => {
    const site = table.newSite();
    const store = new DynamoRelayStore(site);
    const id = await store.leave(callOf('/v1/a'), until);
    injectFaults(site.client, 'PutItemCommand', [undefined, 'unanswered']);
    expect(await taken(store)).toEqual([{ id, call: callOf('/v1/a') }]);
  });

  it('hands out nothing whose caller waits no longer', async () => {
    const store = new DynamoRelayStore(table.newSite());
    await store.leave(callOf('/v1/a'), until);
    expect(await taken(store, until + 1)).toEqual([]);
  });

  it('keeps the calls of each site apart', async () => {
    const store = new DynamoRelayStore(table.newSite());
    await store.leave(callOf('/v1/a'), until);
    expect(await taken(new DynamoRelayStore(table.newSite()))).toEqual([]);
  });

  it.each([
    ['empty', 0],
    ['small', 10],
    ['of several items', 1_000_000],
  ])('gives the caller an answer that is %s, as it was', async (_size, bytes) => {
    const { store, id } = await withTaken();
    const answer = answerOf(randomBytes(bytes));
    expect(await store.answerTo(id)).toBeUndefined();
    expect(await store.answer(id, answer, now)).toBe('kept');
    expect(comparable(await store.answerTo(id))).toEqual(comparable(answer));
  });

  it('gives an answer without a content type as it was', async () => {
    const { store, id } = await withTaken();
    await store.answer(id, { status: 204, body: Buffer.alloc(0) }, now);
    expect(await store.answerTo(id)).toEqual({ status: 204, body: Buffer.alloc(0) });
  });

  it('lets the first answer stand, whatever the size of a second', async () => {
    const { store, id } = await withTaken();
    const first = answerOf(randomBytes(800_000));
    await store.answer(id, first, now);
    expect(await store.answer(id, answerOf(randomBytes(900_000)), now)).toBe('answered');
    expect(comparable(await store.answerTo(id))).toEqual(comparable(first));
  });

  it('shows no answer of which parts are still to be written', async () => {
    const site = table.newSite();
    const store = new DynamoRelayStore(site);
    const id = await store.leave(callOf('/v1/a'), until);
    await taken(store);
    injectFaults(site.client, 'PutItemCommand', [undefined, undefined, 'died before it was sent']);
    await expect(store.answer(id, answerOf(randomBytes(800_000)), now)).rejects.toThrow('died');
    expect(await store.answerTo(id)).toBeUndefined();
  });

  it('takes no answer to a call that was not handed out, or that nobody waits for', async () => {
    const store = new DynamoRelayStore(table.newSite());
    const id = await store.leave(callOf('/v1/a'), until);
    expect(await store.answer(id, answerOf(Buffer.alloc(0)), now)).toBe('unknown');
    expect(await store.answer('another', answerOf(Buffer.alloc(0)), now)).toBe('unknown');
    await taken(store);
    expect(await store.answer(id, answerOf(Buffer.alloc(0)), until)).toBe('late');
    expect(await store.answerTo(id)).toBeUndefined();
  });

  it('refuses a call or an answer that is too large, before anything of it is written', async () => {
    const { store, id } = await withTaken();
    const call = { ...callOf('/v1/a'), body: 'x'.repeat(360_000) };
    await expect(store.leave(call, until)).rejects.toThrow(OversizedItemError);
    await expect(store.answer(id, answerOf(Buffer.alloc(6_000_000)), now)).rejects.toThrow(OversizedItemError);
    expect(await taken(store)).toEqual([]);
    expect(await store.answerTo(id)).toBeUndefined();
  });

  it('lets everything that it writes be deleted an hour later, and writes into no other partition', async () => {
    const site = table.newSite();
    const calls = noteCalls(site.client);
    const store = new DynamoRelayStore(site);
    const id = await store.leave(callOf('/v1/a'), until);
    await taken(store);
    await store.answer(id, answerOf(randomBytes(400_000)), now);
    const written = calls.filter(({ name }) => name === 'PutItemCommand').map(({ input }) => input);
    expect(written).toHaveLength(6);
    for (const input of written) {
      const { pk, expiresAt } = put.parse(input).Item;
      expect(pk).toEqual({ S: `RELAY#${site.site}` });
      expect(Number(expiresAt.N)).toBeGreaterThanOrEqual(now / 1000 + 3_600);
      expect(Number(expiresAt.N)).toBeLessThanOrEqual(until / 1000 + 3_600);
    }
  });
});
