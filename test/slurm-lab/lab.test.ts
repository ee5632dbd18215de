import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { daemonNames } from './daemons.ts';
import { orSlurmSkipped, slurmIsInstalled } from './installed.ts';
import { startSlurmLab, type SlurmLab } from './lab.ts';
import { until } from './run.ts';

const vcs = 'vcs_runtime@flex1';

describe.skipIf(!slurmIsInstalled)(`a Slurm for tests${orSlurmSkipped}`, () => {
  let lab: SlurmLab;

  beforeAll(async () => {
    lab = await startSlurmLab({ licences: { [vcs]: 10 } });
  });
  afterAll(() => lab.stop());
  beforeEach(() => lab.slurm.cancelAll());

  const stateOf = async (id: string): Promise<string | undefined> =>
    (await lab.slurm.queue()).find((job) => job.id === id)?.state;
  const runs = (id: string): Promise<boolean> => until(`job ${id} runs`, async () => (await stateOf(id)) === 'RUNNING');

  it('gives a job the licences that it asks for, and has a record of it', async () => {
    const id = await lab.slurm.submit({ licences: `${vcs}:4`, runSeconds: 1 });
    await runs(id);
    expect((await lab.slurm.licences()).get(vcs)).toEqual({ total: 10, used: 4 });
    const record = await until('accounting has seen the end of the job', async () =>
      (await lab.slurm.records()).find((job) => job.id === id && job.endSeconds !== undefined),
    );
    expect(record).toMatchObject({ state: 'COMPLETED', licences: { [vcs]: 4 } });
    expect(record.endSeconds).toBeGreaterThan(record.startSeconds ?? Infinity);
  });

  it('lets a job wait that asks for more than is left', async () => {
    await runs(await lab.slurm.submit({ licences: `${vcs}:8`, runSeconds: 60 }));
    const id = await lab.slurm.submit({ licences: `${vcs}:4`, runSeconds: 60 });
    await until('it waits for licences', async () =>
      (await lab.slurm.queue()).some((job) => job.id === id && job.reason === 'Licenses'),
    );
  });

  it.each(daemonNames)('works again after %s has crashed', async (daemon) => {
    await lab.kill(daemon, 'SIGKILL');
    await lab.start(daemon);
    await runs(await lab.slurm.submit({ licences: `${vcs}:1`, runSeconds: 60 }));
  });

  it('answers again when a frozen daemon is thawed', async () => {
    lab.freeze('slurmdbd');
    const answered = lab.slurm.records().then(() => 'answered');
    expect(await Promise.race([answered, sleep(1_000, 'silent')])).toBe('silent');
    lab.thaw('slurmdbd');
    expect(await answered).toBe('answered');
  });

  it('runs beside another one', async () => {
    const other = await startSlurmLab({ licences: { 'hfsshpc@flex2': 3 }, nodes: 1 });
    try {
      expect([...(await other.slurm.licences()).keys()]).toEqual(['hfsshpc@flex2']);
      expect([...(await lab.slurm.licences()).keys()]).toEqual([vcs]);
    } finally {
      await other.stop();
    }
  });
});
