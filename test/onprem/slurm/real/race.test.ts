import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SlurmScheduler } from '../../../../onprem/slurm/slurm-scheduler.ts';
import { orSlurmSkipped, slurmIsInstalled } from '../../../slurm-lab/installed.ts';
import { startSlurmLab, type SlurmLab } from '../../../slurm-lab/lab.ts';
import { ceiling, connect, licence, resource } from './connect.ts';

/**
 * The backfill scheduler alone starts jobs, and between its test of a job's licences and the start it lets others work
 * for 3 s instead of half a second. What takes a queue of thousands otherwise happens to every job.
 */
const wideRace =
  'allow_zero_lic,sched_interval=-1,defer,bf_interval=1,bf_max_time=60,bf_yield_interval=1,bf_yield_sleep=3000000,bf_continue';

/** A job that nobody hinders starts about 6 s after its submission. */
const secondsUntilLowered = [4, 5, 6] as const;
/** Any start on what was decided before comes within two such pauses. */
const secondsUntilStarted = 9;

describe.skipIf(!slurmIsInstalled).each(['', ',bf_licenses'])(
  `a total lowered while the backfill scheduler is about to start a job%s${orSlurmSkipped}`,
  (parameters) => {
    let lab: SlurmLab;
    let scheduler: SlurmScheduler;

    beforeAll(async () => {
      lab = await startSlurmLab({ licences: { [licence]: ceiling }, schedulerParameters: wideRace + parameters });
      scheduler = await connect(lab);
    });
    afterAll(() => lab?.stop());

    /** Tokens in use beyond a total of 0, by a job that started after `lower` had resolved with none in use. */
    const usedBeyond = async (seconds: number, lower: () => Promise<void>): Promise<number> => {
      await lab.slurm.cancelAll();
      await scheduler.setTotal(resource, 4);
      await sleep(4_000);
      await lab.slurm.submit({ licences: `${licence}:4`, runSeconds: 60 });
      await sleep(seconds * 1_000);
      await lower();
      const { total, inUse } = await scheduler.figures(resource);
      expect(total).toBe(0);
      await sleep(secondsUntilStarted * 1_000);
      return (await scheduler.figures(resource)).inUse - inUse;
    };

    it('is used beyond by jobs that start after it is shown', async () => {
      let beyond = 0;
      for (const seconds of secondsUntilLowered) {
        beyond ||= await usedBeyond(seconds, () => scheduler.setTotal(resource, 0));
      }
      expect(beyond).toBe(4);
    }, 120_000);

    it('is not used beyond once Slurm has settled', async () => {
      const beyond: number[] = [];
      for (const seconds of secondsUntilLowered) {
        beyond.push(
          await usedBeyond(seconds, async () => {
            await scheduler.setTotal(resource, 0);
            await scheduler.settle();
          }),
        );
      }
      expect(beyond).toEqual([0, 0, 0]);
    }, 120_000);
  },
);
