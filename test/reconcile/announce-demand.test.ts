import { describe, expect, it } from 'vitest';
import { MemoryDemandWindow } from '../../shared/adapters/memory/demand-window.ts';
import { announceDemand } from '../../shared/announce-demand.ts';
import { Activity } from '../../shared/simulation/activity.ts';
import { VirtualClock } from '../../shared/simulation/virtual-clock.ts';

/** When passes were called for, in milliseconds from the first call. */
function desk() {
  const activity = new Activity();
  const clock = new VirtualClock(0, activity);
  const passes: number[] = [];
  const events = { demandWaits: async () => void passes.push(clock.now()), totalChanged: async () => {} };
  const window = new MemoryDemandWindow();
  const answers: string[] = [];
  const call = (): void =>
    activity.start(async () => void answers.push(await announceDemand({ window, events, clock })));
  return { activity, clock, passes, answers, call };
}

describe('the announcement that jobs wait', () => {
  it('calls for a pass at once', async () => {
    const { activity, passes, answers, call } = desk();
    call();
    await activity.idle();
    expect(passes).toEqual([0]);
    expect(answers).toEqual(['announced']);
  });

  it('becomes one pass with all others of the same second, which starts after them', async () => {
    const { activity, clock, passes, answers, call } = desk();
    call();
    await activity.idle();
    clock.advance(300);
    for (let calls = 0; calls < 20; calls += 1) call();
    await activity.idle();
    clock.advance(clock.nextWakeAt() ?? 0);
    await activity.idle();
    expect(passes).toEqual([0, 1_000]);
    expect(answers.filter((answer) => answer === 'joined')).toHaveLength(19);
  });
});
