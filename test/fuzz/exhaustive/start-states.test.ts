import { describe, expect, it } from 'vitest';
import { explore } from '../../../fuzz/exhaustive/explore.ts';
import { standAt, startStates, type StartState } from '../../../fuzz/exhaustive/start-states.ts';
import { inWords } from '../../../fuzz/exhaustive/words.ts';
import { phaseOf } from '../../../shared/domain/grants.ts';

/** Phases of the grants by resource, in the ledger; tokens lent; jobs that wait. */
async function standing(start: StartState): Promise<object> {
  const site = await standAt(start);
  const { ledgers, lent } = await site.watch.look();
  return {
    phases: [...ledgers.values()].flatMap(({ grants }) => grants.map(phaseOf)).sort(),
    lent: lent.length,
    waiting: site.simulated.controller.waiting().length,
  };
}

const stateNamed = (name: string): StartState => {
  const found = startStates.find((start) => start.name === name);
  if (found === undefined) throw new Error(`there is no start state ${name}`);
  return found;
};

describe('a start state', () => {
  it.each<[string, string[], number, number]>([
    ['borrow', [], 0, 1],
    ['unanswered', ['active', 'requested'], 2, 1],
    ['unwanted', ['active', 'requested'], 2, 0],
    ['idle', ['active', 'active'], 2, 0],
    ['returning', ['returning', 'returning'], 2, 0],
    ['used-again', ['withdrawing', 'withdrawing'], 2, 0],
    ['recalled', ['active', 'active'], 2, 0],
    ['renewal', ['active', 'active'], 2, 0],
    ['stray', [], 1, 1],
    ['two-resources', [], 0, 1],
    ['two-resources-idle', ['active', 'active'], 2, 0],
  ])('%s is what its story says', async (name, phases, lent, waiting) => {
    expect(await standing(stateNamed(name))).toEqual({ phases, lent, waiting });
  });

  it.each(startStates)(
    '$name: no promise breaks with one preemption and one fault',
    { timeout: 300_000 },
    async (start) => {
      for await (const { broken, runs } of explore(start, [{ preemptions: 1, faults: 1 }])) {
        expect(broken.map(inWords)).toEqual([]);
        expect(runs).toBeGreaterThan(100_000);
      }
    },
  );
});
