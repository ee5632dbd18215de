import { describe, expect, it } from 'vitest';
import { nothingBorrowed } from '../promises/8-it-ends.ts';
import { Lab, start } from './lab.ts';
import { smallSite } from './sites.ts';

const frozen = { since: start, by: 'anna' };

describe('a frozen site', () => {
  it('borrows nothing for jobs that wait, and borrows for them once it is thawed', async () => {
    const lab = new Lab(smallSite());
    await lab.minutes(2);
    await lab.world.store.writeFreeze(frozen);
    await lab.submit(20, 5);
    await lab.minutes(10);
    expect([lab.total(), await lab.grants()]).toEqual([8, []]);

    await lab.world.store.writeFreeze(undefined);
    await lab.minutes(2);
    expect(lab.total()).toBe(20);
    await lab.replayed();
  });

  it('keeps what its jobs use, and gives it back when it falls idle though other jobs wait', async () => {
    const lab = new Lab(smallSite({ returnAfter: '2m' }));
    await lab.minutes(2);
    await lab.submit(20, 10);
    await lab.minutes(2);
    await lab.world.store.writeFreeze(frozen);
    await lab.minutes(4);
    expect(lab.total()).toBe(20);
    await lab.minutes(20);
    nothingBorrowed(await lab.look(), lab.site.policy);
    await lab.replayed();
  });
});
