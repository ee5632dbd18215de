import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { make as makeDemand } from '../../functions/demand.ts';
import { functions } from '../../functions/manifest.ts';
import { make as makeReconcile } from '../../functions/reconcile.ts';
import { loadSigningKey, type Role } from '../../shared/adapters/signing/keys.ts';
import { newParty } from '../adapters/signing/party.ts';
import { gatewayEvent } from './gateway-event.ts';
import { startParts, submitJob, type Parts } from './parts.ts';

const body = '{"site":"munich"}';

const outcomeOf = z
  .object({ body: z.string() })
  .transform((answer) => z.object({ outcome: z.string() }).parse(JSON.parse(answer.body)).outcome);

async function signedBy(role: Role, { keys }: Parts) {
  return { key: await loadSigningKey(keys.own[role]), subject: 'munich' };
}

describe('the demand function', () => {
  it('answers a call of the controller, and calls for a pass', async () => {
    const parts = await startParts();
    const demand = await parts.make(makeDemand);
    const signer = await signedBy('controller', parts);
    const answer = await demand(await gatewayEvent('POST', '/v1/demand', { body, signer }));
    expect(answer).toMatchObject({ statusCode: 202, body: '{"outcome":"announced"}' });
    expect(parts.events).toEqual(['DemandWaits']);
  });

  it.each<[string, number, (parts: Parts) => Promise<object>]>([
    ['unsigned', 401, () => gatewayEvent('POST', '/v1/demand', { body })],
    [
      'signed with a key that is not in its list',
      401,
      async () => gatewayEvent('POST', '/v1/demand', { body, signer: await newParty('controller', 'munich') }),
    ],
    [
      "signed with a worker's key",
      403,
      async (parts) => gatewayEvent('POST', '/v1/demand', { body, signer: await signedBy('worker', parts) }),
    ],
    [
      'signed for another site',
      401,
      async (parts) =>
        gatewayEvent('POST', '/v1/demand', { body, signer: await signedBy('controller', parts), audience: 'austin' }),
    ],
    [
      'about another site',
      400,
      async (parts) =>
        gatewayEvent('POST', '/v1/demand', { body: '{"site":"austin"}', signer: await signedBy('controller', parts) }),
    ],
    [
      'changed after it was signed',
      401,
      async (parts) => ({
        ...(await gatewayEvent('POST', '/v1/demand', { body, signer: await signedBy('controller', parts) })),
        body: '{"site":"munich" }',
      }),
    ],
  ])('refuses a call that is %s', async (_how, statusCode, event) => {
    const parts = await startParts();
    const demand = await parts.make(makeDemand);
    expect(await demand(await event(parts))).toMatchObject({ statusCode });
    expect(parts.events).toEqual([]);
  });

  it('makes two passes of 30 calls within a second: one at once, and one that sees what all of them told of', async () => {
    const passes: Promise<unknown>[] = [];
    const parts = await startParts((type) => {
      if (type === 'DemandWaits') passes.push(pass());
    });
    const subscribers = functions.filter(({ events }) => events.includes('DemandWaits'));
    expect(subscribers.map(({ name }) => name)).toEqual(['reconcile']);
    const reconcile = await parts.make(makeReconcile);
    const pass = () => reconcile({});
    const demand = await parts.make(makeDemand);
    const signer = await signedBy('controller', parts);

    const outcomes: string[] = [];
    const calls = Array.from({ length: 30 }, async () => {
      const answer = await demand(await gatewayEvent('POST', '/v1/demand', { body, signer }));
      outcomes.push(outcomeOf.parse(answer));
    });
    await waitFor(() => outcomes.length === 29);
    submitJob(parts);
    parts.clock.set(parts.clock.now() + 1_000);
    await Promise.all(calls);

    expect(outcomes.filter((outcome) => outcome === 'announced')).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(28);
    expect(await Promise.all(passes)).toEqual(['done', 'done']);
    expect(await parts.pool.list('munich')).toMatchObject([{ state: 'granted', tokens: 16 }]);
  });
});

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
