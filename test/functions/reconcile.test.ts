import { expect, it } from 'vitest';
import { make as makeReconcile } from '../../functions/reconcile.ts';
import { startParts, submitJob } from './parts.ts';

it('borrows from the real pool for a job that waits at the real controller, and says that a total has changed', async () => {
  const parts = await startParts();
  submitJob(parts);
  const reconcile = await parts.make(makeReconcile);
  expect(await reconcile({})).toBe('done');
  const { ledgers } = await parts.ledger.read();
  expect(ledgers).toMatchObject([{ target: { owned: 8, borrowed: 16 }, grants: [{ state: 'granted', tokens: 16 }] }]);
  expect(await parts.pool.list('munich')).toMatchObject([{ state: 'granted', tokens: 16 }]);
  expect(parts.events).toEqual(['TotalChanged']);
  // It holds no provisioner's key.
  expect(parts.controller.controller.figures('hfsshpc')).toEqual({ total: 8, inUse: 0 });
});

it('changes nothing in a second pass that finds the same', async () => {
  const parts = await startParts();
  submitJob(parts);
  const reconcile = await parts.make(makeReconcile);
  await reconcile({});
  const before = await parts.ledger.read();
  expect(await reconcile({})).toBe('done');
  expect(await parts.ledger.read()).toEqual(before);
});

it('does not borrow while the controller is not heard, and remembers since when', async () => {
  const parts = await startParts();
  submitJob(parts);
  const reconcile = await parts.make(makeReconcile);
  await parts.stopController();
  expect(await reconcile({})).toBe('unheard');
  expect(await parts.ledger.read()).toMatchObject({ unheardSince: parts.clock.now() });
  expect(await parts.pool.list('munich')).toEqual([]);
});
