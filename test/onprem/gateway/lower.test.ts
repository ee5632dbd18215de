import { beforeEach, describe, expect, it } from 'vitest';
import { lower } from '../../../onprem/gateway/lower.ts';
import { ManualClock } from '../manual-clock.ts';
import { HastyScheduler } from './hasty-scheduler.ts';

let scheduler: HastyScheduler;

beforeEach(() => {
  scheduler = new HastyScheduler({ hfsshpc: 30 }, new ManualClock());
});

const toTen = () => lower(scheduler, 'hfsshpc', { from: 30, to: 10 });

describe('lowering a total', () => {
  it('holds when no more is in use once the scheduler has settled', async () => {
    scheduler.submit('a', 'hfsshpc', 10);
    expect(await toTen()).toEqual({ held: true, inUse: 10 });
    expect(scheduler.totals.get('hfsshpc')).toBe(10);
  });

  it('is taken back when a job starts on what was decided before it', async () => {
    scheduler.submit('a', 'hfsshpc', 16, { decideOnly: true });
    expect(await toTen()).toEqual({ held: false, inUse: 16 });
    expect(scheduler.totals.get('hfsshpc')).toBe(30);
  });

  it('reads the use only after the scheduler has settled, and twice', async () => {
    await toTen();
    expect(scheduler.calls).toEqual(['set hfsshpc 10', 'settle', 'figures hfsshpc', 'figures hfsshpc']);
  });

  it('believes the higher of two readings, as a scheduler that is reconfigured shows no use for a moment', async () => {
    scheduler.submit('a', 'hfsshpc', 16);
    const figures = scheduler.figures.bind(scheduler);
    let readings = 0;
    scheduler.figures = async (name) => ({ ...(await figures(name)), ...(readings++ === 0 ? { inUse: 0 } : {}) });
    expect(await toTen()).toEqual({ held: false, inUse: 16 });
  });

  it('fails, naming the resource, when somebody else has set another total meanwhile', async () => {
    const settle = scheduler.settle.bind(scheduler);
    scheduler.settle = async () => {
      await settle();
      scheduler.totals.set('hfsshpc', 25);
    };
    await expect(toTen()).rejects.toThrow('lowering the total of hfsshpc to 10: the scheduler shows 25 again');
  });
});
