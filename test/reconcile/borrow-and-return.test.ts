import { describe, expect, it } from 'vitest';
import { nothingBorrowed } from '../promises/8-it-ends.ts';
import { Lab } from './lab.ts';
import { smallSite } from './sites.ts';

describe('the pass', () => {
  it('borrows for jobs that wait, and gives back what goes unused', async () => {
    const lab = new Lab(smallSite());
    await lab.minutes(2);
    await lab.submit(20, 5);
    expect(lab.total()).toBe(20);
    expect(await lab.grants()).toMatchObject([{ state: 'active', tokens: 12 }]);
    await lab.minutes(20);
    expect(lab.total()).toBe(8);
    nothingBorrowed(await lab.look(), lab.site.policy);
    await lab.replayed();
    expect(lab.alarms).toEqual([]);
  });
});
