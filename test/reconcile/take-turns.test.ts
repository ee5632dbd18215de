import { describe, expect, it } from 'vitest';
import { faultless, type Dealer } from '../../shared/simulation/faults.ts';
import { randomSource } from '../../shared/traces/random.ts';
import { agree, nothingBorrowed } from '../promises/8-it-ends.ts';
import { Deployments } from './deployments.ts';
import { minute } from './lab.ts';
import { smallSite } from './sites.ts';

/** Two deployments, of which now one and now the other falls silent, under random jobs and lost answers. */
async function takeTurns(seed: number): Promise<void> {
  const random = randomSource(seed);
  const of = <T>(first: T, ...more: T[]): T => [first, ...more][Math.floor(random() * (more.length + 1))] ?? first;
  const site = smallSite(
    { returnAfter: '2m', linger: of('0s', '4m'), maxBorrowed: 40 },
    of<object>({}, { block: 4, partialReturns: false }, { minimumHold: '10m' }, { lease: '20m' }),
  );
  const deployments = new Deployments(site);
  const { lab, running } = deployments;
  await deployments.deploy('one');
  await deployments.deploy('other');
  deployments.watch('one');
  let [owner, standby] = ['one', 'other'];
  const submit = (): Promise<void> => lab.submit(of(4, 8, 12, 16, 20), of(2, 4, 9));
  try {
    for (let turn = 0; turn < 6; turn += 1) {
      lab.faults.dealer = losing(of(0, 0.2, 0.6), random);
      for (let left = of(2, 5, 12); left > 0; left -= 1) {
        if (random() < 0.4) await submit();
        await lab.minutes(1);
      }
      running.delete(owner);
      const silentMinutes = of(5, 10);
      deployments.watch(standby, lab.now + (silentMinutes + 3) * minute);
      if (random() < 0.5) await submit();
      await lab.minutes(silentMinutes);
      [owner, standby] = [standby, owner];
      await lab.minutes(1);
      running.add(standby);
    }
    lab.faults.dealer = faultless;
    await lab.minutes(9);
    agree(await lab.look(), site.policy);
    await lab.minutes(90);
    nothingBorrowed(await lab.look(), site.policy);
  } catch (error) {
    throw new Error(`seed ${seed}: ${String(error)}\n${lab.watch.story.last(40)}`, { cause: error });
  }
}

/** Some calls, or their answers, are lost. */
function losing(rate: number, random: () => number): Dealer {
  const losable = new Set(['request', 'giveBack', 'setTotal']);
  return {
    ...faultless,
    call: ({ method }) =>
      losable.has(method) && random() < rate ? (random() < 0.5 ? 'unanswered' : 'lost') : 'answered',
  };
}

describe('two deployments that take turns', () => {
  it.each([0, 15, 30])('keep every promise (15 lives from seed %i)', async (first) => {
    for (let seed = first; seed < first + 15; seed += 1) await takeTurns(seed);
  });
});

describe('a deployment that has the lease again', () => {
  it('borrows nothing on top of what was borrowed meanwhile and never pushed, however lately it has looked', async () => {
    const deployments = new Deployments(smallSite());
    const { lab, running } = deployments;
    await deployments.deploy('one');
    await deployments.deploy('other');
    deployments.watch('one');
    await lab.minutes(2);
    running.delete('one');
    lab.faults.dealer = { ...faultless, call: ({ method }) => (method === 'setTotal' ? 'lost' : 'answered') };
    await lab.minutes(5);
    running.add('one');
    await lab.minutes(2);
    deployments.watch('one', lab.now + 8 * minute);
    await lab.submit(32, 1);
    await lab.minutes(1);
    expect((await lab.look()).lent).toMatchObject([{ tokens: 24 }]);

    running.delete('other');
    lab.faults.dealer = faultless;
    await lab.minutes(9);
    expect((await lab.look()).lent).toMatchObject([{ tokens: 24 }]);
    agree(await lab.look(), lab.site.policy);
  });
});
