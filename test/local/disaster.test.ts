/** The steps of docs/operations.md on real functions, database, controller and pool. */
import { expect, it } from 'vitest';
import { agree, nothingBorrowed } from '../promises/8-it-ends.ts';
import { DeployedTwice } from './deployed-twice.ts';

it('restored from a backup as another table, a ledger asks the provider first, and takes over and drops what has changed since', async () => {
  const world = await DeployedTwice.start();
  const { policy } = world.parts.site;
  const lost = await world.deploy('esr-munich');
  world.watchLedgerOf(lost, 0);
  await world.minutes(1, lost);
  world.submit(16, 4);
  await world.minutes(2, lost);
  const backup = await world.backUp(lost);
  const atBackup = await lost.ledger();
  expect(atBackup).toMatchObject({ target: { borrowed: 8, epoch: 1 }, grants: [{ tokens: 8 }] });

  world.submit(32, 30);
  await world.minutes(3, lost);
  await world.minutes(12, lost);
  const atLoss = await lost.ledger();
  expect(atLoss?.grants.map(({ id }) => id)).not.toContain(atBackup?.grants[0]?.id);
  expect(world.total()).toBe(32);

  const restored = await world.deploy('esr-munich-restored', backup);
  world.watchLedgerOf(restored, 6);
  expect(await world.minutes(3, restored)).toEqual(['idle']);
  expect(await restored.ledger()).toEqual(atBackup);
  expect(await world.minutes(2, restored)).toEqual(['done']);
  expect(restored.alarms).toContain('ledger-behind');
  expect(world.total()).toBe(32);
  const after = await restored.ledger();
  expect(after?.target).toMatchObject({ borrowed: 24, epoch: 2 });
  await world.minutes(2, restored);
  agree(await world.look(), policy);

  world.submit(8, 3);
  await world.minutes(2, restored);
  expect(world.total()).toBe(40);
  await world.minutes(30, restored);
  nothingBorrowed(await world.look(), policy);
});

it('a second deployment idles while the first holds the lease, and goes on with what the first has borrowed when that is gone', async () => {
  const world = await DeployedTwice.start();
  const { policy } = world.parts.site;
  const first = await world.deploy('esr-munich');
  const second = await world.deploy('esr-munich-standby');
  world.watchLedgerOf(first, 0);
  await world.minutes(1, first, second);
  world.submit(24, 60);
  expect(await world.minutes(2, first, second)).toEqual(['done', 'idle']);
  expect(world.total()).toBe(24);
  expect(await world.backUp(second)).toEqual([]);

  // Its last pass has borrowed for one more job when it stops; the push is still to come.
  world.submit(8, 60);
  await first.reconcile({});
  const atStop = await first.ledger();
  world.watchLedgerOf(second, 6);
  expect(await world.minutes(3, second)).toEqual(['idle']);
  expect(await world.minutes(2, second)).toEqual(['done']);
  expect(second.alarms).toContain('ledger-behind');
  const taken = await second.ledger();
  expect(taken?.target).toMatchObject({ owned: 8, borrowed: 24, epoch: 2 });
  expect(taken?.grants.map(({ id }) => id)).toEqual(atStop?.grants.map(({ id }) => id));
  expect(world.total()).toBe(32);
  await world.minutes(2, second);
  agree(await world.look(), policy);

  // It wakes, and changes nothing more: its total is stale, and it does not hold the lease.
  await first.push({});
  expect(await world.minutes(3, first, second)).toEqual(['idle', 'done']);
  expect(await first.ledger()).toEqual(atStop);
  expect(await second.ledger()).toMatchObject({ target: { epoch: 2 } });
  expect(world.total()).toBe(32);

  world.watchLedgerOf(first, 6);
  expect(await world.minutes(6, first)).toEqual(['done']);
  expect(await first.ledger()).toMatchObject({ target: { borrowed: 24, epoch: 3 } });
  agree(await world.look(), policy);
  await world.minutes(70, first);
  nothingBorrowed(await world.look(), policy);
});
