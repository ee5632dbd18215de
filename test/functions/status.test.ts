import { expect, it } from 'vitest';
import * as z from 'zod';
import { make as makeReconcile } from '../../functions/reconcile.ts';
import { make as makeStatus } from '../../functions/status.ts';
import { health, resourceList } from '../../shared/contracts/status.ts';
import { gatewayEvent } from './gateway-event.ts';
import { startParts, submitJob } from './parts.ts';

const answer = z.object({ statusCode: z.int(), body: z.string() });

it('shows what the real controller and the ledger hold', async () => {
  const parts = await startParts();
  submitJob(parts);
  await (
    await parts.make(makeReconcile)
  )({});
  const status = await parts.make(makeStatus);
  const { statusCode, body } = answer.parse(await status(await gatewayEvent('GET', '/v1/resources')));
  expect(statusCode).toBe(200);
  expect(resourceList.parse(JSON.parse(body))).toMatchObject({
    site: 'munich',
    resources: [
      {
        name: 'hfsshpc',
        ledger: { owned: 8, borrowed: 16, total: 24, coming: 16, confirmed: false },
        controller: { total: 8, inUse: 0, waiting: 24 },
      },
    ],
  });
});

it('says that the controller is not heard', async () => {
  const parts = await startParts();
  const status = await parts.make(makeStatus);
  await parts.stopController();
  const { statusCode, body } = answer.parse(await status(await gatewayEvent('GET', '/v1/health')));
  expect(statusCode).toBe(200);
  expect(health.parse(JSON.parse(body))).toMatchObject({ status: 'degraded', controller: { heard: false } });
});

it('answers a problem document about what is not there', async () => {
  const status = await (await startParts()).make(makeStatus);
  const { statusCode, body } = answer.parse(await status(await gatewayEvent('GET', '/v1/resources/spice')));
  expect(statusCode).toBe(404);
  expect(JSON.parse(body)).toMatchObject({ type: 'unknown-resource' });
});
