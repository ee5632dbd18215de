import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orSlurmSkipped, slurmIsInstalled } from '../../../slurm-lab/installed.ts';
import { startSlurmLab, type SlurmLab } from '../../../slurm-lab/lab.ts';
import { run } from '../../../slurm-lab/run.ts';
import { ceiling, connect, licence, resource } from './connect.ts';

describe.skipIf(!slurmIsInstalled)(`beside licence reservations of others in a real Slurm${orSlurmSkipped}`, () => {
  let lab: SlurmLab;

  beforeAll(async () => {
    lab = await startSlurmLab({ licences: { [licence]: ceiling }, schedulerParameters: 'allow_zero_lic,bf_continue' });
    const theirs = ['reservationname=theirs', 'starttime=now', 'duration=60', 'users=root', 'flags=LICENSE_ONLY'];
    await run(lab.environment, 'scontrol', 'create', 'reservation', ...theirs, `licenses=${licence}:5`);
  });
  afterAll(() => lab?.stop());

  it('holds besides what they hold, which their jobs may use within the total', async () => {
    const scheduler = await connect(lab, { totals: 'hold' });
    await scheduler.setTotal(resource, 8);
    expect((await scheduler.figures(resource)).total).toBe(8);
  });

  it('refuses to hold more than they leave, and goes on holding what it held', async () => {
    const scheduler = await connect(lab, { totals: 'hold' });
    await expect(scheduler.setTotal(resource, 4)).rejects.toThrow('other reservations hold 5; raise the count');
    expect((await scheduler.figures(resource)).total).toBe(8);
  });

  it('holds nothing more when its reservation is deleted, and says so', async () => {
    const scheduler = await connect(lab, { totals: 'hold' });
    await run(lab.environment, 'scontrol', 'delete', `reservationname=esr_hold_${licence}`);
    expect((await scheduler.figures(resource)).total).toBe(ceiling);
  });

  it('can not settle on a count below what they hold', async () => {
    const scheduler = await connect(lab);
    await scheduler.setTotal(resource, 4);
    await expect(scheduler.settle()).rejects.toThrow('reservations hold more of one than its total');
    await scheduler.setTotal(resource, 5);
    await scheduler.settle();
    expect((await scheduler.figures(resource)).total).toBe(5);
  });
});
