import { beforeEach, describe, expect, it } from 'vitest';
import { UnsettledError } from '../../../onprem/gateway/errors.ts';
import { NotElasticError, UnknownResourceError } from '../../../onprem/errors.ts';
import { SchedulerError } from '../../../onprem/scheduler.ts';
import { minute, second, start } from '../support.ts';
import { GatewayUnderTest } from './gateway.ts';

let gateway: GatewayUnderTest;

beforeEach(() => {
  gateway = new GatewayUnderTest();
});

const shown = (): number | undefined => gateway.scheduler.totals.get('hfsshpc');

describe('a higher total', () => {
  it('is on the disk before the scheduler hears of it, and confirmed there once the scheduler shows it', async () => {
    const order: string[] = [];
    gateway.scheduler.setTotal = async (name, total) => {
      order.push(...gateway.kept.map(({ kind }) => kind));
      gateway.scheduler.totals.set(name, total);
    };
    expect(await gateway.setTotal({ sequence: 1, borrowed: 10 })).toEqual({ outcome: 'applied', total: 20, inUse: 0 });
    expect(order).toEqual(['started', 'raising']);
    expect(gateway.kept.map(({ kind }) => kind)).toEqual(['started', 'raising', 'total']);
  });

  it('starts waiting jobs', async () => {
    gateway.scheduler.submit('a', 'hfsshpc', 16);
    await gateway.setTotal({ borrowed: 10 });
    expect(gateway.scheduler.inUse('hfsshpc')).toBe(16);
  });

  it('that the scheduler did not take is an error, is not confirmed, and is confirmed once it is there', async () => {
    gateway.scheduler.failNext('before');
    await expect(gateway.setTotal({ sequence: 4, borrowed: 10 })).rejects.toThrow(SchedulerError);
    expect(await gateway.observed()).toMatchObject({ total: 10, sequence: 0 });
    await gateway.controller.enforce();
    expect(shown()).toBe(20);
    gateway.pass(3);
    expect(await gateway.observed()).toMatchObject({ total: 20, sequence: 4 });
  });

  it('that can not be made durable does not reach the scheduler', async () => {
    gateway.diskFault = new Error('no space left');
    await expect(gateway.setTotal({ borrowed: 10 })).rejects.toThrow('no space left');
    expect(shown()).toBe(10);
  });

  it('may be repeated', async () => {
    await gateway.setTotal({ sequence: 1, borrowed: 10 });
    const keptBefore = gateway.kept.length;
    expect(await gateway.setTotal({ sequence: 1, borrowed: 10 })).toMatchObject({ outcome: 'applied', total: 20 });
    expect(gateway.kept).toHaveLength(keptBefore);
  });
});

describe('a lower total', () => {
  beforeEach(async () => {
    await gateway.setTotal({ sequence: 1, borrowed: 20 });
    gateway.scheduler.calls.length = 0;
  });

  it('is kept only once the scheduler holds it', async () => {
    const settle = gateway.scheduler.settle.bind(gateway.scheduler);
    let last: string | undefined;
    gateway.scheduler.settle = async () => {
      last = gateway.kept.at(-1)?.kind;
      expect(gateway.kept.at(-1)).toMatchObject({ total: { sequence: 1 } });
      await settle();
    };
    expect(await gateway.setTotal({ sequence: 2, borrowed: 5 })).toEqual({ outcome: 'applied', total: 15, inUse: 0 });
    expect(last).toBe('total');
    expect(gateway.kept.at(-1)).toMatchObject({ kind: 'total', total: { sequence: 2, total: 15 } });
  });

  it('below what is in use is refused and changes nothing', async () => {
    gateway.scheduler.submit('a', 'hfsshpc', 16);
    expect(await gateway.setTotal({ sequence: 2, borrowed: 5 })).toEqual({ outcome: 'below-in-use', inUse: 16 });
    expect(gateway.scheduler.calls).toEqual(['figures hfsshpc']);
  });

  it('is refused when a job that was already decided upon starts in the middle of it', async () => {
    gateway.scheduler.submit('a', 'hfsshpc', 16, { decideOnly: true });
    expect(await gateway.setTotal({ sequence: 2, borrowed: 5 })).toEqual({ outcome: 'below-in-use', inUse: 16 });
    expect(shown()).toBe(30);
    expect(await gateway.observed()).toMatchObject({ total: 30, sequence: 1, inUse: 16 });
  });

  it('waits until nothing of an earlier change can come any more', async () => {
    gateway.scheduler.failNext('late');
    await expect(gateway.setTotal({ sequence: 2, owned: 10, borrowed: 20 })).resolves.toMatchObject({ total: 30 });
    gateway.scheduler.failNext();
    gateway.scheduler.totals.set('hfsshpc', 10);
    await expect(gateway.setTotal({ sequence: 3, borrowed: 20 })).rejects.toThrow(SchedulerError);
    gateway.scheduler.totals.set('hfsshpc', 30);
    const refusal = await gateway.setTotal({ sequence: 4, borrowed: 0 }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UnsettledError);
    expect(refusal).toMatchObject({ resource: 'hfsshpc', retryAfterSeconds: 60 });
    gateway.pass(60);
    expect(await gateway.setTotal({ sequence: 4, borrowed: 0 })).toMatchObject({ outcome: 'applied', total: 10 });
  });

  it('waits as long after a restart, as the former process may have asked for something', async () => {
    gateway.restart();
    await expect(gateway.setTotal({ sequence: 2, borrowed: 5 })).rejects.toThrow(UnsettledError);
    gateway.pass(60);
    expect(await gateway.setTotal({ sequence: 2, borrowed: 5 })).toMatchObject({ outcome: 'applied' });
  });

  it('is not answered as applied when it was accepted before and the scheduler has fallen back since', async () => {
    await gateway.setTotal({ sequence: 2, borrowed: 5 });
    gateway.scheduler.totals.set('hfsshpc', 30);
    gateway.scheduler.submit('a', 'hfsshpc', 16);
    expect(await gateway.setTotal({ sequence: 2, borrowed: 5 })).toEqual({ outcome: 'below-in-use', inUse: 16 });
  });
});

describe('a total update', () => {
  it('that is older than one whose raise is under way is stale', async () => {
    gateway.scheduler.failNext('before');
    await gateway.setTotal({ sequence: 5, borrowed: 10 }).catch(() => undefined);
    expect(await gateway.setTotal({ sequence: 4, borrowed: 3 })).toEqual({ outcome: 'stale', epoch: 1, sequence: 5 });
  });

  it('of an owner that has lost the lease is stale', async () => {
    gateway.controller.acquireLease('elastic-shared-resources', 'blue', 60, start);
    gateway.controller.acquireLease('elastic-shared-resources', 'green', 60, start + 2 * minute);
    expect(await gateway.setTotal({ epoch: 1, sequence: 9 })).toMatchObject({ outcome: 'stale', epoch: 2 });
  });

  it('for a resource that is not elastic, or that nobody knows, is refused by name', async () => {
    await expect(gateway.setTotal({ resource: 'spice' })).rejects.toThrow(UnknownResourceError);
    await expect(gateway.setTotal({ resource: 'fixed' })).rejects.toThrow(NotElasticError);
  });

  it('waits its turn behind another for the same resource', async () => {
    const answers = await Promise.all([
      gateway.setTotal({ sequence: 1, borrowed: 10 }),
      gateway.setTotal({ sequence: 2, borrowed: 20 }),
      gateway.setTotal({ sequence: 3, borrowed: 5 }),
    ]);
    expect(answers.map((answer) => answer.outcome)).toEqual(['applied', 'applied', 'applied']);
    expect(shown()).toBe(15);
  });
});

describe('the accepted total', () => {
  it('is set again when the scheduler shows another one, and the log says so', async () => {
    await gateway.setTotal({ borrowed: 10 });
    gateway.scheduler.totals.set('hfsshpc', 28);
    await gateway.controller.look();
    await gateway.controller.enforce();
    expect(shown()).toBe(20);
    expect(gateway.warnings.join('\n')).toContain('the scheduler shows a total of 28; setting 20');
  });

  it('is as many as are owned before the first update', async () => {
    gateway.scheduler.totals.set('hfsshpc', 25);
    await gateway.controller.look();
    await gateway.controller.enforce();
    expect(shown()).toBe(10);
  });

  it('loses tokens as they expire; those in use stay in the total that is shown until they are free', async () => {
    await gateway.setTotal({ borrowed: 10, expiries: [{ at: start + minute, tokens: 10 }] });
    gateway.scheduler.submit('a', 'hfsshpc', 14);
    gateway.pass(60);
    await gateway.controller.look();
    await gateway.controller.enforce();
    expect(shown()).toBe(10);
    expect(await gateway.observed()).toMatchObject({ total: 14, inUse: 14 });
    gateway.scheduler.end('a');
    gateway.pass(3);
    expect(await gateway.observed()).toMatchObject({ total: 10, inUse: 0 });
  });

  it('survives a restart, with leases, counts and what was being raised', async () => {
    await gateway.setTotal({ sequence: 3, borrowed: 10 });
    gateway.scheduler.failNext('before');
    await gateway.setTotal({ sequence: 4, borrowed: 15 }).catch(() => undefined);
    gateway.controller.acquireLease('elastic-shared-resources', 'blue', 600, start);
    gateway.controller.reportObserved('hfsshpc', { inUse: 7, issued: 30, at: start }, start);
    for (const compact of [() => {}, () => gateway.compact()]) {
      const { epoch } = gateway.controller;
      compact();
      gateway.restart();
      expect(gateway.controller.epoch).toBe(epoch + 1);
      expect(await gateway.observed()).toMatchObject({ sequence: 3, observed: { inUse: 7, issued: 30 } });
      expect(gateway.controller.acquireLease('elastic-shared-resources', 'green', 60, start)).toEqual({
        held: false,
        holder: 'blue',
      });
      expect(gateway.controller.state().raising).toMatchObject({ hfsshpc: { sequence: 4, total: 25 } });
    }
  });
});

describe('an observation', () => {
  it('is made from the last look while that is fresh, and from a new one otherwise', async () => {
    await gateway.observed();
    await gateway.observed();
    expect(gateway.scheduler.calls).toEqual(['look']);
    gateway.pass(3);
    await gateway.observed();
    expect(gateway.scheduler.calls).toEqual(['look', 'look']);
  });

  it('is refused while the scheduler can not be asked, however good the last one was', async () => {
    await gateway.observed();
    gateway.pass(3);
    gateway.scheduler.isDown = true;
    await expect(gateway.observed()).rejects.toThrow(SchedulerError);
  });

  it('shows a total that was confirmed after the look began', async () => {
    const look = gateway.scheduler.look.bind(gateway.scheduler);
    gateway.scheduler.look = async () => {
      const view = await look();
      await gateway.setTotal({ sequence: 1, borrowed: 10 });
      return view;
    };
    expect(await gateway.observed()).toMatchObject({ total: 20, sequence: 1 });
  });

  it('has the peaks of every minute in which it was looked often enough, and a gap for any other', async () => {
    gateway.scheduler.submit('a', 'hfsshpc', 6);
    for (let at = 0; at < 10 * 60; at += 4) {
      gateway.clock.set(start + at * second);
      if (at < 240 || at > 300) await gateway.controller.look();
    }
    const { recentPeaks } = await gateway.observed();
    // Nobody looked before the first minute, nor from 09:03:56 to 09:05:04.
    expect(recentPeaks.needs).toEqual([null, 6, 6, 6, null, null, null, 6, 6, 6, 6]);
  });

  it('counts waiting tokens as need', async () => {
    gateway.scheduler.submit('a', 'hfsshpc', 8);
    gateway.scheduler.submit('b', 'hfsshpc', 8);
    gateway.pass(60);
    await gateway.controller.look();
    gateway.pass(1);
    const { recentPeaks, waiting } = await gateway.observed();
    expect(waiting).toMatchObject([{ jobs: 1, needs: { hfsshpc: 8 } }]);
    expect(recentPeaks.needs.at(-1)).toBe(16);
  });
});

describe('a job that begins to wait', () => {
  it('is told once, as soon as it is seen', async () => {
    await gateway.controller.look();
    expect(gateway.waitsTold).toBe(0);
    gateway.scheduler.submit('a', 'hfsshpc', 16);
    await gateway.controller.look();
    await gateway.controller.look();
    expect(gateway.waitsTold).toBe(1);
    gateway.scheduler.submit('b', 'hfsshpc', 16);
    await gateway.controller.look();
    expect(gateway.waitsTold).toBe(2);
  });
});
