import { expect, it } from 'vitest';
import { make as makePushTotal } from '../../functions/push-total.ts';
import { make as makeReconcile } from '../../functions/reconcile.ts';
import { startParts, submitJob } from './parts.ts';

it('raises the total at the real controller, which starts the job that waits', async () => {
  const parts = await startParts();
  submitJob(parts);
  await (
    await parts.make(makeReconcile)
  )({});
  const pushTotal = await parts.make(makePushTotal);
  expect(await pushTotal({})).toBe(0);
  expect(parts.controller.controller.figures('hfsshpc')).toEqual({ total: 24, inUse: 24 });
  const { ledgers } = await parts.ledger.read();
  expect(ledgers).toMatchObject([{ grants: [{ state: 'active' }] }]);
});

it('says how many totals the controller has not confirmed', async () => {
  const parts = await startParts();
  await (
    await parts.make(makeReconcile)
  )({});
  const pushTotal = await parts.make(makePushTotal);
  await parts.stopController();
  expect(await pushTotal({})).toBe(1);
});
