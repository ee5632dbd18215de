import { describe, expect, it } from 'vitest';
import type { Observation } from '../../shared/domain/model.ts';
import { committedSpending } from '../../shared/domain/spending.ts';
import type { Interception } from '../../shared/simulation/simulated-site.ts';
import { Lab } from './lab.ts';
import { smallSite } from './sites.ts';

const hold = { minimumHold: '1h', costPerTokenHour: 1 };

/** A controller that says in every answer that a million jobs wait, and have waited all the time. */
const liar: Interception = {
  reconcile: (ports, run) =>
    run({
      ...ports,
      controller: {
        acquireLease: () => ports.controller.acquireLease(),
        observe: async (seconds) => forge(await ports.controller.observe(seconds)),
      },
    }),
  push: (ports, run) => run(ports),
};

function forge(observation: Observation): Observation {
  return {
    ...observation,
    resources: observation.resources.map((each) => ({
      ...each,
      recentPeaks: { ...each.recentPeaks, needs: each.recentPeaks.needs.map(() => 1_000_000) },
    })),
    waiting: [{ jobs: 1_000_000, needs: { hfsshpc: 1 }, waitingSeconds: 86_400 }],
  };
}

describe('a controller that lies about waiting jobs', () => {
  it('has nothing borrowed beyond maxBorrowed', async () => {
    const lab = new Lab(smallSite({}, hold), { atPass: [liar] });
    await lab.minutes(120);
    expect(lab.total()).toBe(8 + 24);
  });

  it('costs the spending cap of a day, and what its tokens cost while they go back', async () => {
    const lab = new Lab(smallSite({ spendingCap: { amount: 10, per: 'day' } }, hold), { atPass: [liar] });
    await lab.minutes(3);
    expect(lab.total()).toBe(8 + 10);
    // To the last minute of the day.
    await lab.minutes(12 * 60 - 4);
    expect(lab.total()).toBe(8);
    const [policy] = lab.site.policy.resources;
    if (policy === undefined) throw new Error('the site has no elastic resource');
    const spent = committedSpending(await lab.ledger(), policy, lab.now);
    expect(spent).toBeGreaterThan(10);
    // Three minutes of ten tokens.
    expect(spent).toBeLessThan(10.5);
    await lab.replayed();
  });
});
