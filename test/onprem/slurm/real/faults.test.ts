import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SlurmScheduler } from '../../../../onprem/slurm/slurm-scheduler.ts';
import { SchedulerError } from '../../../../onprem/scheduler.ts';
import { orSlurmSkipped, slurmIsInstalled } from '../../../slurm-lab/installed.ts';
import { startSlurmLab, type SlurmLab } from '../../../slurm-lab/lab.ts';
import { ceiling, connect, licence, resource } from './connect.ts';

describe.skipIf(!slurmIsInstalled)(`what is said of a real Slurm that can't do what is asked${orSlurmSkipped}`, () => {
  let lab: SlurmLab;
  let scheduler: SlurmScheduler;

  beforeAll(async () => {
    lab = await startSlurmLab({ licences: { [licence]: ceiling } });
    scheduler = await connect(lab, { commandTimeout: '12s' });
  });
  afterAll(() => lab?.stop());

  const failing = async (promise: Promise<unknown>): Promise<string> => {
    const error: unknown = await promise.then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(SchedulerError);
    return String(error);
  };

  it.each([
    ['slurmdbd', 'slurmdbd does not answer'],
    ['mariadbd', 'the database behind slurmdbd does not answer'],
    ['slurmctld', 'slurmctld does not answer'],
    ['munged', 'the authentication does not work'],
  ] as const)('names %s when it is down, and goes on when it is there again', async (daemon, words) => {
    await scheduler.setTotal(resource, 4);
    await lab.kill(daemon, 'SIGTERM');
    expect(await failing(scheduler.setTotal(resource, 5))).toContain(words);
    await lab.start(daemon);
    await scheduler.setTotal(resource, 6);
    expect((await scheduler.figures(resource)).total).toBe(6);
  });

  it('reaches a slurmctld that started while slurmdbd was down', async () => {
    await scheduler.setTotal(resource, 4);
    await lab.kill('slurmdbd', 'SIGTERM');
    await lab.kill('slurmctld', 'SIGTERM');
    await lab.start('slurmctld');
    await lab.start('slurmdbd');
    await scheduler.setTotal(resource, 5);
    expect((await scheduler.figures(resource)).total).toBe(5);
  });

  it('says that a daemon hangs', async () => {
    const hasty = await connect(lab, { commandTimeout: '1s' });
    lab.freeze('slurmctld');
    expect(await failing(hasty.figures(resource))).toContain('no end in time: it waits for slurmctld');
    lab.thaw('slurmctld');
    expect((await hasty.figures(resource)).inUse).toBe(0);
  });

  it('says how to add the licence that Slurm lacks', async () => {
    const words = await failing(connect(lab, { licences: { [resource]: 'nosuch@flex1' } }));
    expect(words).toContain('slurmdbd gives none of it to the cluster lab; add it: sacctmgr add resource name=nosuch');
  });

  it('names the program that is not there', async () => {
    expect(await failing(connect(lab, { programs: '/nonexistent' }))).toContain(
      "running /nonexistent/scontrol show config: it can't be started (ENOENT)",
    );
  });

  it('names the configuration that is not there', async () => {
    const words = await failing(connect(lab, { configuration: '/nonexistent/slurm.conf', commandTimeout: '2s' }));
    expect(words).toContain('there is no usable slurm.conf');
    expect(words).toContain('correct scheduler.configuration');
  });

  it('says which right its user lacks', async () => {
    const programs = await mkdtemp(join(tmpdir(), 'as-nobody-'));
    await chmod(programs, 0o755);
    for (const name of ['scontrol', 'sacctmgr', 'squeue', 'sinfo']) {
      const asNobody = `#!/bin/sh\nexec setpriv --reuid=nobody --clear-groups ${name} "$@"\n`;
      await writeFile(join(programs, name), asNobody, { mode: 0o755 });
    }
    const powerless = await connect(lab, { programs });
    expect(await failing(powerless.setTotal(resource, 5))).toContain('set adminlevel=Operator');
    expect(await failing(powerless.settle())).toContain('set adminlevel=Operator');
    await rm(programs, { recursive: true });
  });
});

describe.skipIf(!slurmIsInstalled)(`a real Slurm that is not set up for a gateway${orSlurmSkipped}`, () => {
  let lab: SlurmLab;

  beforeAll(async () => {
    lab = await startSlurmLab({ licences: { [licence]: ceiling - 1 }, schedulerParameters: 'bf_continue' });
  });
  afterAll(() => lab?.stop());

  it.each([
    ['would reject jobs', 'count', 'add allow_zero_lic to SchedulerParameters in slurm.conf'],
    ['counts fewer than the total may become', 'hold', `set it to ${ceiling} or more`],
  ] as const)('is refused when it %s', async (_, totals, words) => {
    await expect(connect(lab, { totals })).rejects.toThrow(words);
  });
});
