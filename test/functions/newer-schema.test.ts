import { expect, it } from 'vitest';
import * as z from 'zod';
import { make as makePushTotal } from '../../functions/push-total.ts';
import { make as makeReconcile } from '../../functions/reconcile.ts';
import { make as makeStatus } from '../../functions/status.ts';
import { health, resourceList } from '../../shared/contracts/status.ts';
import { dynamoClient } from '../../shared/adapters/dynamodb/client.ts';
import { setSchema } from '../adapters/dynamodb/set-schema.ts';
import { gatewayEvent } from './gateway-event.ts';
import { startParts, submitJob } from './parts.ts';

const answer = z.object({ statusCode: z.literal(200), body: z.string() });

it('a ledger that a newer version has written is left alone by pass and push, and the status says why', async () => {
  const parts = await startParts();
  submitJob(parts);
  const reconcile = await parts.make(makeReconcile);
  await reconcile({});
  const before = await parts.ledger.read();
  const lent = await parts.pool.list('munich');
  const client = dynamoClient(parts.environment);
  const site = { client, table: parts.environment['ESR_TABLE'] ?? '', site: 'munich' };
  await setSchema(site, 'RESOURCE#hfsshpc', 2);

  expect(await reconcile({})).toBe('done');
  expect(await (await parts.make(makePushTotal))({})).toBe(0);
  expect(await parts.pool.list('munich')).toEqual(lent);
  expect(parts.controller.controller.figures('hfsshpc').total).toBe(8);
  const status = await parts.make(makeStatus);
  const get = async (path: string): Promise<unknown> =>
    JSON.parse(answer.parse(await status(await gatewayEvent('GET', path))).body);
  expect(resourceList.parse(await get('/v1/resources')).resources).toMatchObject([
    {
      name: 'hfsshpc',
      controller: { total: 8 },
      lastReason: expect.stringContaining('Deploy the newer version again'),
    },
  ]);
  expect(health.parse(await get('/v1/health')).status).toBe('degraded');

  await setSchema(site, 'RESOURCE#hfsshpc', 1);
  client.destroy();
  expect((await parts.ledger.read()).ledgers).toEqual(before.ledgers);
  expect(await reconcile({})).toBe('done');
});
