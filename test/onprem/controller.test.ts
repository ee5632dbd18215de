import { describe, expect, it } from 'vitest';
import { ReferenceController } from '../../onprem/controller.ts';
import { NotElasticError, TooManyLeasesError, UnknownResourceError } from '../../onprem/errors.ts';
import type { ReferenceChange, ReferenceState, Saved } from '../../onprem/state.ts';
import { totalsLease } from '../../shared/contracts/controller.ts';
import { configOf, job, minute, newController, second, start, update } from './support.ts';

function hfsshpc(controller: ReferenceController, now: number) {
  const [resource] = controller.observe(180, now).resources;
  if (resource === undefined) throw new Error('no resource');
  return resource;
}

describe('the reference controller', () => {
  it('shows what is owned before the first total update', () => {
    expect(newController().observe(60, start)).toEqual({
      receivedAt: start,
      resources: [
        {
          name: 'hfsshpc',
          total: 10,
          epoch: 0,
          sequence: 0,
          inUse: 0,
          recentPeaks: { bucketSeconds: 60, needs: [null, 0] },
        },
      ],
      waiting: [],
    });
  });

  it('starts waiting jobs when the total is raised, and says so in its answer', () => {
    const controller = newController();
    controller.submit([job('a', { hfsshpc: 8 }), job('b', { hfsshpc: 8 })], start);
    expect(controller.observe(60, start + minute).waiting).toEqual([
      { jobs: 1, needs: { hfsshpc: 8 }, waitingSeconds: 60 },
    ]);

    expect(controller.setTotal(update(), start + minute)).toEqual({ outcome: 'applied', total: 20, inUse: 16 });
    expect(hfsshpc(controller, start + minute)).toMatchObject({ total: 20, epoch: 1, sequence: 1, inUse: 16 });
  });

  it('changes nothing for a total below what is in use', () => {
    const controller = newController();
    controller.setTotal(update(), start);
    controller.submit([job('a', { hfsshpc: 16 })], start);

    const lower = update({ borrowed: 5, sequence: 2 });
    expect(controller.setTotal(lower, start)).toEqual({ outcome: 'below-in-use', inUse: 16 });
    expect(hfsshpc(controller, start)).toMatchObject({ total: 20, sequence: 1 });
  });

  it('answers an update that it has applied in the same way again, with what is in use by then', () => {
    const controller = newController();
    controller.setTotal(update(), start);
    controller.submit([job('a', { hfsshpc: 16 })], start);

    expect(controller.setTotal(update(), start)).toEqual({ outcome: 'applied', total: 20, inUse: 16 });
  });

  it('refuses the totals of an owner that has lost the lease', () => {
    const controller = newController();
    controller.acquireLease(totalsLease, 'blue', 60, start);
    controller.acquireLease(totalsLease, 'green', 60, start + minute);

    expect(controller.setTotal(update(), start + minute)).toEqual({ outcome: 'stale', epoch: 2, sequence: 0 });
    expect(controller.setTotal(update({ epoch: 2 }), start + minute)).toMatchObject({ outcome: 'applied' });
  });

  it('says who holds a lease', () => {
    const controller = newController();
    const granted = { held: true, epoch: 1, expiresInSeconds: 60 };
    expect(controller.acquireLease('one', 'blue', 60, start)).toEqual(granted);
    expect(controller.acquireLease('one', 'green', 60, start)).toEqual({ held: false, holder: 'blue' });
    expect(controller.acquireLease('two', 'green', 60, start)).toEqual(granted);
  });

  it('is refused under a new name once there are a thousand', () => {
    const controller = newController();
    for (let index = 0; index < 1_000; index += 1) controller.acquireLease(`lease-${index}`, 'blue', 60, start);
    expect(() => controller.acquireLease('one-more', 'blue', 60, start)).toThrow(TooManyLeasesError);
    expect(controller.acquireLease('lease-7', 'blue', 60, start)).toMatchObject({ held: true });
  });

  it('refuses a total for a resource that it does not have or that is not elastic', () => {
    const config = configOf('hfsshpc');
    const fixed = { name: 'solve', owned: 1, ceiling: 1, elastic: false };
    const controller = newController({ ...config, resources: [...config.resources, fixed] });

    expect(() => controller.setTotal(update({ resource: 'vcs' }), start)).toThrow(UnknownResourceError);
    expect(() => controller.setTotal(update({ resource: 'solve' }), start)).toThrow(NotElasticError);
  });

  it('takes a time before the last one as the last one', () => {
    const controller = newController();
    controller.advance(start + minute);

    expect(controller.observe(60, start).receivedAt).toBe(start + minute);
  });
});

describe('borrowed tokens that expire', () => {
  const expiring = update({ expiries: [{ at: start + minute, tokens: 10 }] });

  it('leave the total by themselves, at their time even when nobody calls', () => {
    const controller = newController();
    controller.setTotal(expiring, start);
    controller.submit([job('a', { hfsshpc: 12 }, { submit: start + 61 * second })], start);
    expect(controller.nextEventAt()).toBe(start + minute);

    expect(hfsshpc(controller, start + 2 * minute)).toMatchObject({ total: 10, inUse: 0 });
  });

  it('are no longer there for what is due at that very time', () => {
    const controller = newController();
    controller.setTotal(expiring, start);
    controller.submit([job('a', { hfsshpc: 12 }, { submit: start + minute })], start);

    expect(hfsshpc(controller, start + minute)).toMatchObject({ total: 10, inUse: 0 });
  });

  it('leave the total one after the other where they expire at several times', () => {
    const controller = newController();
    const expiries = [1, 2].map((minutes) => ({ at: start + minutes * minute, tokens: 5 }));
    controller.setTotal(update({ expiries }), start);
    controller.submit([job('a', { hfsshpc: 12 }, { submit: start + 2 * minute })], start);

    expect(hfsshpc(controller, start + minute)).toMatchObject({ total: 15 });
    expect(hfsshpc(controller, start + 3 * minute)).toMatchObject({ total: 10, inUse: 0 });
  });

  it('stay in the total while they are in use, and no further job gets them', () => {
    const controller = newController();
    controller.setTotal(expiring, start);
    controller.submit([job('a', { hfsshpc: 7 }, { runSeconds: 120 }), job('b', { hfsshpc: 7 })], start);
    controller.submit([job('c', { hfsshpc: 7 })], start);

    expect(hfsshpc(controller, start + minute)).toMatchObject({ total: 14, inUse: 14 });
    expect(hfsshpc(controller, start + 2 * minute)).toMatchObject({ total: 10, inUse: 7 });
  });
});

describe('the need that is recorded', () => {
  it('is what is in use and what waits', () => {
    const controller = newController();
    controller.submit([job('a', { hfsshpc: 8 }, { runSeconds: 90 }), job('b', { hfsshpc: 8 })], start);
    controller.submit([job('huge', { hfsshpc: 99 })], start);

    expect(hfsshpc(controller, start + 2 * minute).recentPeaks.needs).toEqual([null, 16, 16, 8]);
  });

  it('takes the larger count for in use where the licence server reports one', () => {
    const controller = newController();
    controller.submit([job('a', { hfsshpc: 4 })], start);
    controller.reportObserved('hfsshpc', { inUse: 9, issued: 20, at: start + minute }, start + minute);

    expect(hfsshpc(controller, start + 90 * second)).toMatchObject({
      inUse: 4,
      observed: { inUse: 9, issued: 20, ageSeconds: 30 },
      recentPeaks: { needs: [null, null, 4, 9] },
    });
  });

  it('no longer takes a count ten minutes after it was made', () => {
    const controller = newController();
    controller.reportObserved('hfsshpc', { inUse: 9, issued: 20, at: start }, start);

    expect(hfsshpc(controller, start + 11 * minute).recentPeaks.needs).toEqual([9, 9, 0, 0]);
  });

  it('keeps the newest count, and takes one from the future as made now', () => {
    const controller = newController();
    controller.reportObserved('hfsshpc', { inUse: 9, issued: 20, at: start + minute }, start);
    controller.reportObserved('hfsshpc', { inUse: 3, issued: 20, at: start - minute }, start);

    expect(hfsshpc(controller, start).observed).toEqual({ inUse: 9, issued: 20, ageSeconds: 0 });
  });
});

describe('submitting jobs', () => {
  it('may be repeated, and passes over the jobs that the cluster has', () => {
    const controller = newController();
    const jobs = [job('a', { hfsshpc: 8 }), job('b', { hfsshpc: 8 })];
    expect(controller.submit(jobs, start)).toEqual({ submitted: 2, unsatisfiable: [] });
    expect(controller.submit([...jobs, job('c', { hfsshpc: 31 })], start)).toEqual({
      submitted: 1,
      unsatisfiable: ['c'],
    });
    expect(controller.observe(60, start).waiting).toMatchObject([{ jobs: 1 }]);
    expect(controller.unsatisfiable().map(({ id }) => id)).toEqual(['c']);
  });

  it('takes none of them when one names an unknown resource', () => {
    const controller = newController();

    expect(() => controller.submit([job('a', { hfsshpc: 8 }), job('b', { vcs: 1 })], start)).toThrow(
      UnknownResourceError,
    );
    expect(hfsshpc(controller, start).inUse).toBe(0);
  });
});

describe('keeping changes', () => {
  /** All that a controller can be told, with jobs that run on and jobs that end before the restart. */
  function tell(controller: ReferenceController): void {
    controller.acquireLease(totalsLease, 'blue', 600, start);
    controller.submit([job('a', { hfsshpc: 8 }, { runSeconds: 90 }), job('b', { hfsshpc: 8 })], start);
    controller.submit([job('c', { hfsshpc: 8 }), job('huge', { hfsshpc: 99 })], start + second);
    controller.setTotal(update({ expiries: [{ at: start + 3 * minute, tokens: 10 }] }), start + minute);
    controller.reportObserved('hfsshpc', { inUse: 9, issued: 20, at: start }, start + minute);
  }

  function recorder(): { changes: ReferenceChange[]; keep: (change: ReferenceChange) => void } {
    const changes: ReferenceChange[] = [];
    return { changes, keep: (change) => changes.push(structuredClone(change)) };
  }

  /** All but the start, which is another one. */
  function lasting(controller: ReferenceController, now: number): unknown {
    controller.advance(now);
    const { controllerEpoch: _, ...state } = controller.state();
    return state;
  }

  /** As if a state had been kept at `at` in place of the changes up to then. */
  function split(changes: readonly ReferenceChange[], at: number): Saved<ReferenceState, ReferenceChange> {
    const saved = { state: undefined, changes: changes.filter((change) => change.at <= at) };
    const state = new ReferenceController({ config: configOf('hfsshpc'), now: at, saved }).state();
    return { state: structuredClone(state), changes: changes.filter((change) => change.at > at) };
  }

  it.each([
    { from: 'changes alone', stateAt: undefined },
    { from: 'a state alone', stateAt: start + minute },
    { from: 'a state and the changes since', stateAt: start },
  ])('restores the same controller from $from, at any time', ({ stateAt }) => {
    const config = configOf('hfsshpc');
    for (const restartAt of [1, 2, 3, 5, 70].map((minutes) => start + minutes * minute)) {
      const { changes, keep } = recorder();
      const whole = new ReferenceController({ config, now: start, keep });
      tell(whole);
      const saved = stateAt === undefined ? { state: undefined, changes } : split(changes, stateAt);
      const restarted = new ReferenceController({ config, now: restartAt, saved });

      expect(lasting(restarted, restartAt)).toEqual(lasting(whole, restartAt));
      expect(restarted.observe(60, restartAt).waiting).toEqual(whole.observe(60, restartAt).waiting);
      expect(restarted.figures('hfsshpc')).toEqual(whole.figures('hfsshpc'));
    }
  });

  it('counts starts, and has gaps in the peaks up to the last one', () => {
    const { changes, keep } = recorder();
    const config = configOf('hfsshpc');
    const first = new ReferenceController({ config, now: start, keep });
    expect(first.epoch).toBe(1);

    const second = new ReferenceController({ config, now: start + 5 * minute, saved: { state: undefined, changes } });
    expect(second.epoch).toBe(2);
    expect(hfsshpc(second, start + 6 * minute).recentPeaks.needs).toEqual([null, null, 0, 0]);
  });

  it('makes no change that could not be kept', () => {
    let isFull = false;
    const keep = (): void => {
      if (isFull) throw new Error('disk full');
    };
    const controller = new ReferenceController({ config: configOf('hfsshpc'), now: start, keep });
    controller.submit([job('a', { hfsshpc: 4 })], start);
    const before = controller.state();
    isFull = true;

    expect(() => controller.setTotal(update(), start)).toThrow('disk full');
    expect(() => controller.acquireLease(totalsLease, 'blue', 60, start)).toThrow('disk full');
    expect(() => controller.reportObserved('hfsshpc', { inUse: 1, issued: 2, at: start }, start)).toThrow('disk full');
    expect(() => controller.submit([job('b', { hfsshpc: 1 })], start)).toThrow('disk full');
    expect(controller.state()).toEqual(before);
  });

  it('takes what is owned from the config until the first total update', () => {
    const { changes, keep } = recorder();
    const before = new ReferenceController({ config: configOf('hfsshpc'), now: start, keep });
    const resources = [{ name: 'hfsshpc', owned: 15, ceiling: 30, elastic: true }];
    const config = { ...configOf(), resources };

    const after = new ReferenceController({ config, now: start, saved: { state: before.state(), changes: [] } });
    expect(after.figures('hfsshpc').total).toBe(15);
    before.setTotal(update(), start);
    const updated = new ReferenceController({ config, now: start, saved: { state: undefined, changes } });
    expect(updated.figures('hfsshpc').total).toBe(20);
  });

  it('does not start without a resource of which it has kept a total', () => {
    const { changes, keep } = recorder();
    new ReferenceController({ config: configOf('hfsshpc'), now: start, keep }).setTotal(update(), start);

    const saved = { state: undefined, changes };
    expect(() => new ReferenceController({ config: configOf('vcs'), now: start, saved })).toThrow(UnknownResourceError);
  });
});
