import { describe, expect, it } from 'vitest';
import { Barrier } from '../../../onprem/slurm/barrier.ts';
import type { SlurmCommands } from '../../../onprem/slurm/commands.ts';
import { ManualClock } from '../manual-clock.ts';

/** Notes every `create` and `delete` of a reservation, and refuses those that `refuses` says. */
function recorder(refuses: (count: number) => boolean = () => false): { done: string[]; run: SlurmCommands } {
  const done: string[] = [];
  const run: SlurmCommands = async (_program, action = '') => {
    done.push(action);
    if (refuses(done.length)) throw new Error('refused');
    return '';
  };
  return { done, run };
}

/** Lets everything happen that needs no time. */
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the barrier', () => {
  it('changes reservations twice, in different seconds', async () => {
    const clock = new ManualClock();
    const { done, run } = recorder();
    const passed = new Barrier(run, 'vcs_runtime@flex1', clock).pass();
    await soon();
    expect(done).toEqual(['create']);
    clock.set(clock.now() + 1_000);
    await soon();
    expect(done).toEqual(['create']);
    clock.set(clock.now() + 100);
    await passed;
    expect(done).toEqual(['create', 'delete']);
  });

  it('is shared by those who come before it begins, and is passed anew by those who come later', async () => {
    const clock = new ManualClock();
    const { done, run } = recorder();
    const barrier = new Barrier(run, 'vcs_runtime@flex1', clock);
    const first = [barrier.pass(), barrier.pass()];
    await soon();
    const later = [barrier.pass(), barrier.pass()];
    clock.set(clock.now() + 2_000);
    await Promise.all(first);
    await soon();
    expect(done).toEqual(['create', 'delete', 'create']);
    clock.set(clock.now() + 2_000);
    await Promise.all(later);
    expect(done).toEqual(['create', 'delete', 'create', 'delete']);
  });

  it('can be passed after one that failed', async () => {
    const clock = new ManualClock();
    const { done, run } = recorder((count) => count === 1);
    const barrier = new Barrier(run, 'vcs_runtime@flex1', clock);
    await expect(barrier.pass()).rejects.toThrow('refused');
    const passed = barrier.pass();
    await soon();
    clock.set(clock.now() + 2_000);
    await passed;
    expect(done).toEqual(['create', 'create', 'delete']);
  });
});
