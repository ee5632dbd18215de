import { describe, expect, it } from 'vitest';
import { InProcessController, InProcessTotalReceiver } from '../../shared/simulation/in-process-controller.ts';
import { ManualClock } from '../onprem/manual-clock.ts';
import { job, minute, newController, start, update } from '../onprem/support.ts';

function newPorts() {
  const controller = newController();
  const clock = new ManualClock();
  const portOf = (holder: string) => new InProcessController({ controller, clock, holder, ttlSeconds: 60 });
  return { controller, clock, portOf, receiver: new InProcessTotalReceiver({ controller, clock }) };
}

describe('the controller in the same process', () => {
  it('is observed at the time of its clock', async () => {
    const { controller, clock, portOf } = newPorts();
    controller.submit([job('a', { hfsshpc: 12 })], start);
    clock.set(start + minute);

    expect(await portOf('blue').observe(60)).toMatchObject({
      receivedAt: start + minute,
      waiting: [{ jobs: 1, waitingSeconds: 60 }],
    });
  });

  it('gives the lease by its clock, and with it fences totals', async () => {
    const { clock, portOf, receiver } = newPorts();
    expect(await portOf('blue').acquireLease()).toMatchObject({ held: true, epoch: 1 });
    expect(await portOf('green').acquireLease()).toEqual({ held: false, holder: 'blue' });

    clock.set(start + minute);
    expect(await portOf('green').acquireLease()).toMatchObject({ held: true, epoch: 2 });
    expect(await receiver.setTotal(update({ epoch: 1 }))).toMatchObject({ outcome: 'stale', epoch: 2 });
  });

  it('applies totals, and refuses those of resources that it does not have', async () => {
    const { receiver } = newPorts();

    expect(await receiver.setTotal(update())).toEqual({ outcome: 'applied', total: 20, inUse: 0 });
    expect(await receiver.setTotal(update({ resource: 'vcs' }))).toMatchObject({ outcome: 'refused' });
  });
});
