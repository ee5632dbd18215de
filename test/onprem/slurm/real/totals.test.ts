import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SlurmScheduler } from '../../../../onprem/slurm/slurm-scheduler.ts';
import { orSlurmSkipped, slurmIsInstalled } from '../../../slurm-lab/installed.ts';
import { startSlurmLab, type SlurmLab } from '../../../slurm-lab/lab.ts';
import { run, until } from '../../../slurm-lab/run.ts';
import { ceiling, connect, licence, resource } from './connect.ts';

describe.skipIf(!slurmIsInstalled).each(['count', 'hold'] as const)(
  `totals of a real Slurm, set as a %s${orSlurmSkipped}`,
  (totals) => {
    let lab: SlurmLab;
    let scheduler: SlurmScheduler;

    beforeAll(async () => {
      lab = await startSlurmLab({
        licences: { [licence]: ceiling },
        // The main scheduler has no turns of its own, so that only a raise makes it look.
        schedulerParameters: 'allow_zero_lic,bf_continue,sched_interval=3600,bf_interval=3600',
      });
      scheduler = await connect(lab, { totals });
    });
    afterAll(() => lab?.stop());
    beforeEach(() => lab.slurm.cancelAll());

    const running = async (): Promise<number> =>
      (await lab.slurm.queue()).filter(({ state }) => state === 'RUNNING').length;
    const runs = (id: string): Promise<boolean> =>
      until(`job ${id} runs`, async () =>
        (await lab.slurm.queue()).some((job) => job.id === id && job.state === 'RUNNING'),
      );
    const waits = (id: string): Promise<boolean> =>
      until(`job ${id} waits for licences`, async () =>
        (await lab.slurm.queue()).some((job) => job.id === id && job.reason === 'Licenses'),
      );

    it('shows what it has set', async () => {
      await scheduler.setTotal(resource, 7);
      expect(await scheduler.figures(resource)).toEqual({ total: 7, inUse: 0 });
      await scheduler.setTotal(resource, ceiling);
      expect((await scheduler.look()).resources).toEqual(new Map([[resource, { total: ceiling, inUse: 0 }]]));
    });

    it('starts waiting jobs when it raises a total', async () => {
      await scheduler.setTotal(resource, 4);
      await runs(await lab.slurm.submit({ licences: `${licence}:4`, runSeconds: 60 }));
      await waits(await lab.slurm.submit({ licences: `${licence}:4`, runSeconds: 60 }));
      expect((await scheduler.look()).waiting).toMatchObject([{ jobs: 1, needs: { [resource]: 4 } }]);
      await scheduler.setTotal(resource, 8);
      await until('both run', async () => (await running()) === 2);
      expect(await scheduler.figures(resource)).toEqual({ total: 8, inUse: 8 });
    });

    it('lets jobs queue at a total of 0', async () => {
      await scheduler.setTotal(resource, 0);
      await waits(await lab.slurm.submit({ licences: `${licence}:1`, runSeconds: 60 }));
    });

    it('lowers a total below what is in use: no job ends, and none starts', async () => {
      await scheduler.setTotal(resource, 8);
      await runs(await lab.slurm.submit({ licences: `${licence}:6`, runSeconds: 60 }));
      await scheduler.setTotal(resource, 2);
      await scheduler.settle();
      await waits(await lab.slurm.submit({ licences: `${licence}:1`, runSeconds: 60 }));
      expect(await scheduler.figures(resource)).toEqual({ total: 2, inUse: 6 });
    });

    it('shows the total that somebody else has set, and sets it again', async () => {
      await scheduler.setTotal(resource, 5);
      const byHand = totals === 'count' ? count(12) : ['scontrol', 'delete', `reservationname=esr_hold_${licence}`];
      const [program = '', ...args] = byHand;
      await run(lab.environment, program, ...args);
      const other = totals === 'count' ? 12 : ceiling;
      await until('it is shown', async () => (await scheduler.figures(resource)).total === other);
      await scheduler.setTotal(resource, 5);
      expect((await scheduler.figures(resource)).total).toBe(5);
    });

    it('keeps a lowered total when slurmctld crashes just after it has settled', async () => {
      await scheduler.setTotal(resource, ceiling);
      await lab.slurm.submit({ runSeconds: 60 }); // Slurm writes its state now, and not again within 5 s.
      await scheduler.setTotal(resource, 3);
      await scheduler.settle();
      await lab.kill('slurmctld', 'SIGKILL');
      await lab.start('slurmctld');
      expect((await scheduler.figures(resource)).total).toBe(3);
    });
  },
);

function count(tokens: number): string[] {
  return ['sacctmgr', '-i', 'modify', 'resource', 'name=vcs_runtime', 'server=flex1', 'set', `count=${tokens}`];
}
