import { describe, expect, it } from 'vitest';
import { assembleSite } from '../../shared/config/load.ts';
import { faultless } from '../../shared/simulation/faults.ts';
import type { PortCall } from '../../shared/simulation/port-calls.ts';
import { Lab } from './lab.ts';
import { smallSite } from './sites.ts';

/** Counts the calls of a lab from now on. */
function counted(lab: Lab): ReadonlyMap<PortCall['method'], number> {
  const counts = new Map<PortCall['method'], number>();
  lab.faults.dealer = {
    ...faultless,
    call: ({ method }) => {
      counts.set(method, (counts.get(method) ?? 0) + 1);
      return 'answered';
    },
  };
  return counts;
}

describe('the calls of a pass', () => {
  it('are one ledger read and two of the controller in a minute in which nothing happens, for 100 resources', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `feature_${index}`);
    const elastic = { providers: ['burst'], maxBorrowed: 8, returnAfter: '10m' };
    const site = assembleSite({
      site: 'lab',
      providers: [{ name: 'burst', kind: 'pool', offers: {} }],
      resources: Object.fromEntries(names.map((name) => [name, { shared: true, total: 4, elastic }])),
    });
    const lab = new Lab(site);
    await lab.minutes(3);
    const counts = counted(lab);
    await lab.minutes(1);
    expect(Object.fromEntries(counts)).toEqual({ read: 1, observe: 1, acquireLease: 1 });
  });

  it('are three ledger writes for a borrow and three for a return', async () => {
    const lab = new Lab(smallSite({ returnAfter: '2m' }));
    await lab.minutes(2);
    const borrowing = counted(lab);
    await lab.submit(12, 2);
    expect(borrowing.get('write')).toBe(3);
    const returning = counted(lab);
    await lab.minutes(10);
    expect(await lab.grants()).toEqual([]);
    expect(returning.get('write')).toBe(3);
  });
});
