import { describe, expect, it } from 'vitest';
import { faultless, type Fate } from '../../shared/simulation/faults.ts';
import { nothingBorrowed } from '../promises/8-it-ends.ts';
import { Lab } from './lab.ts';
import { smallSite } from './sites.ts';

/** A site whose request for 12 tokens was not answered, and then no job waits any more. */
async function withUnknownGrant(fates: readonly Fate[]): Promise<Lab> {
  const lab = new Lab(smallSite({ returnAfter: '2m' }));
  await lab.minutes(2);
  const left = [...fates];
  lab.faults.dealer = {
    ...faultless,
    lateness: () => 8,
    call: ({ method }) => (method === 'request' || method === 'giveBack' ? (left.shift() ?? 'answered') : 'answered'),
  };
  await lab.submit(8, 1);
  await lab.submit(8, 1);
  return lab;
}

describe('a request that was never answered and is needed no more', () => {
  it('is ended at the provider, and forgotten', async () => {
    const lab = await withUnknownGrant(['unanswered', 'answered']);
    expect(await lab.grants()).toMatchObject([{ state: 'requested', tokens: 8 }]);
    await lab.minutes(8);
    nothingBorrowed(await lab.look(), lab.site.policy);
  });

  it('is never part of a total again once the provider may have been told to end it', async () => {
    const lab = await withUnknownGrant(['unanswered', 'unanswered', 'late']);
    await lab.minutes(2);
    await lab.submit(8, 3);
    await lab.submit(8, 3);
    await lab.minutes(20);
    console.log(lab.watch.story.last(100));
    nothingBorrowed(await lab.look(), lab.site.policy);
  });
});
