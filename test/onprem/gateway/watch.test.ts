import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SchedulerError } from '../../../onprem/scheduler.ts';
import { Watch } from '../../../onprem/gateway/watch.ts';
import { JsonLog } from '../../../shared/adapters/json-log.ts';
import { ManualClock } from '../manual-clock.ts';
import { start } from '../support.ts';

const clock = new ManualClock();
let log: string[];
let looks: number;
let enforced: number;
let fault: Error | undefined;
let watch: Watch;

beforeEach(() => {
  clock.set(start);
  [log, looks, enforced, fault] = [[], 0, 0, undefined];
  const controller = {
    look: async () => {
      looks += 1;
      if (fault !== undefined) throw fault;
    },
    enforce: async () => {
      enforced += 1;
    },
  };
  watch = new Watch({ controller, clock, log: new JsonLog((line) => log.push(line)), everyMilliseconds: 1_000 });
  watch.start();
});

afterEach(() => watch.stop());

/** Until the watch sleeps again. */
async function asleep(): Promise<void> {
  while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
}

async function nextLook(): Promise<void> {
  await asleep();
  clock.set(clock.now() + 1_000);
  await asleep();
}

describe('the watch', () => {
  it('looks again and again, and puts right what it finds', async () => {
    await nextLook();
    await nextLook();
    expect([looks, enforced]).toEqual([3, 3]);
  });

  it('says once that the scheduler can not be asked, and once that it can be asked again', async () => {
    await asleep();
    fault = new SchedulerError('asking squeue: it is down');
    await nextLook();
    await nextLook();
    fault = undefined;
    await nextLook();
    await nextLook();
    expect(log.map((line): unknown => JSON.parse(line))).toMatchObject([
      { message: 'looking at the scheduler has failed', error: 'asking squeue: it is down' },
      { message: 'the scheduler answers again' },
    ]);
    expect(enforced).toBe(3);
  });

  it('stops when it is told to', async () => {
    await asleep();
    await watch.stop();
    clock.set(start + 60_000);
    expect(clock.sleeping).toBe(0);
    expect(looks).toBe(1);
  });
});
