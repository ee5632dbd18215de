import { describe, expect, it } from 'vitest';
import { faultless, type Fate } from '../../shared/simulation/faults.ts';
import type { PortCall } from '../../shared/simulation/port-calls.ts';
import { nothingBorrowed, ticksToReturnAll } from '../promises/8-it-ends.ts';
import { Lab } from './lab.ts';
import { smallSite } from './sites.ts';

/** One borrow and one return, with a fate for one of the calls; then passes to which nothing happens. */
async function life(fate: Fate, unlucky: number): Promise<{ lab: Lab; calls: readonly PortCall['method'][] }> {
  const lab = new Lab(smallSite({ returnAfter: '2m' }));
  const calls: PortCall['method'][] = [];
  lab.faults.dealer = {
    ...faultless,
    call: ({ method }) => (calls.push(method) - 1 === unlucky ? fate : 'answered'),
  };
  await lab.minutes(1);
  await lab.submit(12, 2);
  await lab.minutes(6);
  lab.faults.dealer = faultless;
  await lab.minutes(ticksToReturnAll(lab.site.policy, lab.site.pools));
  return { lab, calls };
}

const plain = await life('answered', -1);

describe('one borrow and one return', () => {
  it('make every call that a pass and a push can make', () => {
    expect(new Set(plain.calls)).toEqual(
      new Set<PortCall['method']>([
        ...(['read', 'observe', 'acquireLease', 'list', 'describe', 'writeProvider', 'recordPass', 'write'] as const),
        ...(['request', 'totalChanged', 'setTotal', 'giveBack'] as const),
      ]),
    );
  });

  it.each<Fate>(['crashesBefore', 'crashesAfter', 'lost', 'unanswered', 'late', 'rival'])(
    'are finished by the next passes when any one of their calls %s',
    async (fate) => {
      for (let unlucky = 0; unlucky < plain.calls.length; unlucky += 1) {
        const { lab } = await life(fate, unlucky);
        expect(lab.world.controller.waiting(), `${plain.calls[unlucky]} ${unlucky}`).toEqual([]);
        nothingBorrowed(await lab.look(), lab.site.policy);
        await lab.replayed();
      }
    },
  );
});
