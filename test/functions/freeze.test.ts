import { expect, it } from 'vitest';
import * as z from 'zod';
import { make as makeFreeze } from '../../functions/freeze.ts';
import { make as makeReconcile } from '../../functions/reconcile.ts';
import { make as makeStatus } from '../../functions/status.ts';
import { loadSigningKey, roles, type Role } from '../../shared/adapters/signing/keys.ts';
import { siteSummary } from '../../shared/contracts/status.ts';
import { gatewayEvent } from './gateway-event.ts';
import { startParts, submitJob, type Parts } from './parts.ts';

const answer = z.object({ statusCode: z.int(), body: z.string() });

async function call(parts: Parts, method: 'PUT' | 'DELETE', role: Role = 'operator') {
  const freeze = await parts.make(makeFreeze);
  const signer = { key: await loadSigningKey(parts.keys.own[role]), subject: 'munich' };
  return answer.parse(await freeze(await gatewayEvent(method, '/v1/freeze', { signer })));
}

/** By a function that has just started and knows nothing but the table. */
async function pass(parts: Parts): Promise<void> {
  await (
    await parts.make(makeReconcile)
  )({});
}

async function shown(parts: Parts) {
  const status = await parts.make(makeStatus);
  return siteSummary.parse(JSON.parse(answer.parse(await status(await gatewayEvent('GET', '/v1/site'))).body)).frozen;
}

it('stops borrowing at once, over every restart, until it is taken back', async () => {
  const parts = await startParts();
  submitJob(parts);
  const frozen = { since: '2026-03-02T09:00:00Z', by: 'munich' };
  const { statusCode, body } = await call(parts, 'PUT');
  expect([statusCode, JSON.parse(body)]).toEqual([200, frozen]);
  await pass(parts);
  await pass(parts);
  expect(await parts.pool.list('munich')).toEqual([]);
  expect(await shown(parts)).toEqual(frozen);

  expect(await call(parts, 'DELETE')).toMatchObject({ statusCode: 204 });
  await pass(parts);
  expect(await parts.pool.list('munich')).toMatchObject([{ tokens: 16 }]);
  expect(await shown(parts)).toBeUndefined();
});

it.each(['PUT', 'DELETE'] as const)("%s takes an operator's key and no other", async (method) => {
  const parts = await startParts();
  const admitted: Role[] = [];
  for (const role of roles) {
    if ((await call(parts, method, role)).statusCode !== 403) admitted.push(role);
  }
  expect(admitted).toEqual(['operator']);
});

it('leaves what a refused call would have changed', async () => {
  const parts = await startParts();
  await call(parts, 'PUT');
  const freeze = await parts.make(makeFreeze);
  expect(await freeze(await gatewayEvent('DELETE', '/v1/freeze'))).toMatchObject({ statusCode: 401 });
  expect(await call(parts, 'DELETE', 'controller')).toMatchObject({ statusCode: 403 });
  expect(await parts.ledger.read()).toMatchObject({ frozen: { by: 'munich' } });
});
