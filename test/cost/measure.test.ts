import { describe, expect, it } from 'vitest';
import { assembleSite } from '../../shared/config/load.ts';
import { measure, NotReturned } from '../../shared/cost/measure.ts';
import { nothing } from '../../shared/cost/tally.ts';
import { smallSite } from '../reconcile/sites.ts';

const measured = measure(smallSite({ returnAfter: '2m' }, { minimumHold: '5m' }));

describe('the calls of a site', () => {
  it('are, in an idle minute, one query and two calls of the controller, and no line in a log', async () => {
    const { idle } = await measured;
    const quiet = { ...nothing, calls: 60, databaseRequests: 60, readUnits: 60 };
    // The provider is listed once an hour.
    expect(idle).toEqual({
      reconcile: { ...quiet, outsideCalls: 2 * 60 + 1 },
      'push-total': nothing,
      relay: nothing,
    });
  });

  it('are, for a borrow and its return, one pass and two pushes more, with three ledger writes each way', async () => {
    const { borrow } = await measured;
    expect(borrow?.reconcile).toMatchObject({ calls: expect.closeTo(1, 6), events: expect.closeTo(2, 6) });
    expect(borrow?.['push-total']).toMatchObject({ calls: expect.closeTo(2, 6), outsideCalls: expect.closeTo(2, 6) });
    // Of six ledger writes two are the pushes'; each follows its entry of history. Each pass that decides is kept.
    const requests = { reconcile: 4 + 4 + 2, 'push-total': 2 + 2 };
    const queries = { reconcile: 1, 'push-total': 2 };
    const providerRecord = 1;
    expect(borrow?.['push-total'].databaseRequests).toBeCloseTo(requests['push-total'] + queries['push-total'], 6);
    expect(borrow?.reconcile.databaseRequests).toBeCloseTo(requests.reconcile + queries.reconcile + providerRecord, 6);
  });

  it('go over the table where the controller fetches them: left, handed out, answered and read', async () => {
    const pushed = smallSite({ returnAfter: '2m' });
    const { idle } = await measure({ ...pushed, file: { ...pushed.file, controller: { delivery: 'pull' } } });
    const relayed = 2 * 60;
    expect(idle.relay).toMatchObject({ calls: 2 * relayed, outsideCalls: 0 });
    // A put to begin, a query to find it and a put to hand it out; a read of it and two puts for its answer.
    expect(idle.relay.databaseRequests).toBe(6 * relayed);
    // Besides the ledger: a put, and two reads of the answer.
    expect(idle.reconcile.databaseRequests).toBe(60 + 3 * relayed);
  });

  it('read more the more resources there are', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `feature_${index}`);
    const elastic = { providers: ['burst'], maxBorrowed: 8, returnAfter: '1m' };
    const site = assembleSite({
      site: 'lab',
      providers: [{ name: 'burst', kind: 'pool' }],
      resources: Object.fromEntries(names.map((name) => [name, { shared: true, total: 4, elastic }])),
    });
    const { idle } = await measure(site);
    // Each item is of 500 to 1,000 bytes, and a unit is 4 KB.
    expect(idle.reconcile.readUnits / 60).toBeGreaterThan((30 * 500) / 4_096);
    expect(idle.reconcile.readUnits / 60).toBeLessThan((30 * 1_000) / 4_096 + 3);
  });

  it('hold no borrow where nothing is elastic', async () => {
    const site = assembleSite({
      site: 'lab',
      providers: [],
      resources: { hfsshpc: { shared: true, total: 8 } },
    });
    expect(await measure(site)).toEqual({ idle: expect.anything() });
  });

  it('are not made up for a borrow that the site file does not let happen', async () => {
    const counting = measure(smallSite({ maxBorrowed: 4 }, { block: 8 }));
    await expect(counting).rejects.toThrow(NotReturned);
    await expect(counting).rejects.toMatchObject({ resource: 'hfsshpc' });
  });
});
