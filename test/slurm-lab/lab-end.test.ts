import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cluster } from './configuration.ts';
import { orSlurmSkipped, slurmIsInstalled } from './installed.ts';
import { startSlurmLab } from './lab.ts';
import { parentDirectory } from './parent-directory.ts';
import { killProcessesWith, processesWith } from './processes.ts';
import { until } from './run.ts';
import { Slurm } from './slurm.ts';

describe.skipIf(!slurmIsInstalled)(`the end of a Slurm for tests${orSlurmSkipped}`, () => {
  let directory: string;
  // The labs are made in a directory of their own, and so all that they start has its name among its variables.
  const marks = (): Record<string, string> => ({ TMPDIR: directory, SLURM_CLUSTER_NAME: cluster });

  beforeEach(async () => {
    directory = await mkdtemp(join(await parentDirectory(), 'lab-end-'));
    vi.stubEnv('TMPDIR', directory);
  });
  afterEach(async () => {
    killProcessesWith(marks());
    vi.unstubAllEnvs();
    await rm(directory, { recursive: true });
  });

  const labDirectories = async (): Promise<string[]> =>
    (await readdir(directory)).filter((entry) => entry.startsWith('slurm-lab-'));

  const startJob = async (slurm: Slurm): Promise<void> => {
    await slurm.submit({ runSeconds: 600 });
    await until('the job runs', async () => (await slurm.queue()).some(({ state }) => state === 'RUNNING'));
  };

  it('leaves no daemon, no job and no file', async () => {
    const lab = await startSlurmLab();
    await startJob(lab.slurm);
    await lab.stop();
    expect(processesWith(marks())).toEqual([]);
    expect(await labDirectories()).toEqual([]);
  });

  it('leaves nothing of a lab of which a part does not start, and shows what that part logged', async () => {
    const starting = startSlurmLab({ schedulerParameters: 'defer\nSchedulerType=sched/unheard-of' });
    await expect(starting).rejects.toThrow(/^starting slurmctld: .*sched\/unheard-of/s);
    expect(processesWith(marks())).toEqual([]);
    expect(await labDirectories()).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves nothing when %s ends who has started it', async (signal) => {
    const { child, slurm } = await startLabProcess();
    await startJob(slurm);
    child.kill(signal);
    await once(child, 'exit');
    expect(processesWith(marks())).toEqual([]);
    expect(await labDirectories()).toEqual([]);
  });

  it('leaves no daemon when who has started it is killed', async () => {
    const { child } = await startLabProcess();
    child.kill('SIGKILL');
    await until('every daemon has ended', () => Promise.resolve(processesWith(marks()).length === 0));
  });
});

/** A lab in the foreground, as `npm run slurm-lab` starts it. */
async function startLabProcess(): Promise<{ child: ReturnType<typeof spawn>; slurm: Slurm }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) {
    const [, file] = /export SLURM_CONF=(\S+)/.exec(line) ?? [];
    if (file !== undefined) return { child, slurm: new Slurm({ SLURM_CONF: file }) };
  }
  throw new Error('The lab has ended before it said how to speak to it.');
}
