import { describe, expect, it } from 'vitest';
import { faultless } from '../../shared/simulation/faults.ts';
import type { Interception } from '../../shared/simulation/simulated-site.ts';
import { agree, nothingBorrowed } from '../promises/8-it-ends.ts';
import { Lab } from './lab.ts';
import { siteWithTwoProviders, smallSite } from './sites.ts';

describe('a provider that lends less than was asked', () => {
  it('is topped up by the next one in the same pass, and both take part in the total', async () => {
    const lab = new Lab(siteWithTwoProviders({}, { capacity: 5, maximum: 64 }, {}));
    await lab.minutes(2);
    await lab.submit(20, 30);
    expect(await lab.grants()).toMatchObject([
      { provider: 'burst', tokens: 5 },
      { provider: 'vendor', tokens: 7 },
    ]);
    expect(lab.total()).toBe(20);
  });

  it('is not asked again before its pause is over, and is asked then', async () => {
    const lab = new Lab(smallSite());
    const pool = lab.world.pools.get('burst');
    await pool?.request('neighbour', 'n-1', { resource: 'hfsshpc', tokens: 64 });
    await lab.minutes(2);
    let requests = 0;
    lab.faults.dealer = {
      ...faultless,
      call: ({ method }) => {
        if (method === 'request') requests += 1;
        return 'answered';
      },
    };
    await lab.submit(20, 30);
    await lab.minutes(6);
    // At once, then after pauses of 1 and 2 minutes; the next is 4 minutes long.
    expect(requests).toBe(3);
    await pool?.giveBack('neighbour', 'n-1', { returnId: 'r', tokens: 64 });
    await lab.minutes(6);
    expect(lab.total()).toBe(20);
  });
});

describe('a recalled grant', () => {
  it('goes back ahead of its window as its tokens fall idle, and nothing is borrowed there meanwhile', async () => {
    const lab = new Lab(smallSite({ returnAfter: '1h' }));
    await lab.minutes(2);
    await lab.submit(20, 6);
    const [grant] = await lab.grants();
    await lab.world.pools.get('burst')?.recall(grant?.id ?? '');
    await lab.submit(6, 30);
    await lab.minutes(3);
    expect(await lab.grants()).toMatchObject([{ tokens: 12, recall: { kind: 'recalled' } }]);
    await lab.minutes(8);
    expect((await lab.look()).lent.filter(({ id }) => id === grant?.id)).toEqual([]);
    agree(await lab.look(), lab.site.policy);
  });
});

describe('a grant with an end', () => {
  it('is renewed while jobs need it', async () => {
    const lab = new Lab(smallSite({}, { lease: '20m' }));
    await lab.minutes(2);
    await lab.submit(20, 90);
    const [grant] = await lab.grants();
    await lab.minutes(85);
    expect(await lab.grants()).toMatchObject([{ id: grant?.id, tokens: 12 }]);
    expect(lab.total()).toBe(20);
    await lab.minutes(30);
    nothingBorrowed(await lab.look(), lab.site.policy);
  });

  it('that ends in use raises an alarm, and its tokens leave the total as their jobs end', async () => {
    const lab = new Lab(smallSite({}, { lease: '20m' }));
    await lab.minutes(2);
    await lab.submit(20, 60);
    lab.faults.dealer = { ...faultless, call: ({ method }) => (method === 'renew' ? 'lost' : 'answered') };
    await lab.minutes(30);
    expect(lab.alarms).toContain('grant-overdue');
    expect(lab.total()).toBe(20);
    expect((await lab.look()).lent).toEqual([]);
    await lab.minutes(45);
    nothingBorrowed(await lab.look(), lab.site.policy);
  });
});

describe('a provider that has left the site file while it lends', () => {
  it('is missed by an alarm once its tokens should go back', async () => {
    let left = false;
    const withoutProviders: Interception = {
      reconcile: (ports, run) => run(left ? { ...ports, providers: new Map() } : ports),
      push: (ports, run) => run(ports),
    };
    const lab = new Lab(smallSite({ returnAfter: '2m' }), { atPass: [withoutProviders] });
    await lab.minutes(2);
    await lab.submit(20, 2);
    left = true;
    await lab.minutes(4);
    expect(lab.alarms).toEqual([]);
    await lab.minutes(4);
    expect(lab.alarms).toContain('orphan-grant');
    expect(await lab.grants()).toMatchObject([{ return: { phase: 'returning' } }]);
  });
});

describe('the spending cap', () => {
  it('counts what was lent before its answer arrived', async () => {
    const lab = new Lab(smallSite({ maxStep: 2, returnAfter: '2m', spendingCap: { amount: 1.5, per: 'day' } }));
    await lab.minutes(2);
    lab.faults.dealer = { ...faultless, call: ({ method }) => (method === 'request' ? 'unanswered' : 'answered') };
    // The provider lends 2 from now on, which nobody hears of for 40 minutes: 4/3 of 3/2 are spent.
    await lab.submit(8, 60);
    await lab.submit(2, 60);
    await lab.minutes(40);
    lab.faults.dealer = faultless;
    await lab.minutes(2);
    await lab.submit(8, 10);
    await lab.minutes(2);
    expect(await lab.grants()).toMatchObject([{ state: 'active', tokens: 2 }]);
  });

  it('counts what was lent under a request that was abandoned', async () => {
    const lab = new Lab(smallSite({ maxStep: 2, returnAfter: '2m', spendingCap: { amount: 1.38, per: 'day' } }));
    await lab.minutes(2);
    lab.faults.dealer = { ...faultless, call: ({ method }) => (method === 'request' ? 'unanswered' : 'answered') };
    await lab.submit(8, 40);
    await lab.submit(2, 10);
    await lab.minutes(45);
    // 4/3 are spent, and the least that two tokens may cost is more than what is left.
    expect(await lab.grants()).toEqual([]);
    lab.faults.dealer = faultless;
    await lab.submit(8, 10);
    await lab.submit(8, 10);
    await lab.minutes(2);
    expect(await lab.grants()).toEqual([]);
  });
});
