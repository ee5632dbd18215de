import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CommandScheduler } from '../../../../onprem/command/command-scheduler.ts';
import { commandSettings } from '../../../../onprem/command/config.ts';
import { systemClock } from '../../../../shared/adapters/system-clock.ts';
import {
  gridEngineIsInstalled,
  orSkipped,
  startGridEngineLab,
  type GridEngineLab,
} from '../../../grid-engine-lab/lab.ts';

const examples = fileURLToPath(new URL('../../../../examples/schedulers/grid-engine/', import.meta.url));
const resources = ['hfsshpc', 'hfss_solve'];

describe.skipIf(!gridEngineIsInstalled)(`the example for Grid Engine, with a real one${orSkipped}`, () => {
  let lab: GridEngineLab;
  let scheduler: CommandScheduler;
  beforeAll(async () => {
    lab = await startGridEngineLab();
    const inLab = ['env', ...Object.entries(lab.environment).map(([name, value]) => `${name}=${value}`)];
    const settings = commandSettings.parse({
      kind: 'command',
      look: [...inLab, './look', ...resources],
      setTotal: [...inLab, './set-total'],
      settle: '5s',
      programTimeout: '30s',
    });
    scheduler = new CommandScheduler(settings, { resources, directory: examples, clock: systemClock });
  });
  afterAll(() => lab?.stop());
  afterEach(async () => {
    await lab.run('sh', '-c', 'qdel -f -u "*" || true');
    const isIdle = async () => Object.values(await inUse()).every((tokens) => tokens === 0);
    await vi.waitUntil(isIdle, { timeout: 20_000 });
    await scheduler.setTotal('hfsshpc', 8);
  });

  /** Resolves with the job's number. */
  async function submit(...options: readonly string[]): Promise<string> {
    const quiet = ['-terse', '-b', 'y', '-o', '/dev/null', '-j', 'y'];
    const id = await lab.run('qsub', ...quiet, ...options, 'sleep', '1000');
    return id.trim().replace(/\..*/, '');
  }

  async function inUse(): Promise<Record<string, number>> {
    const { resources } = await scheduler.look();
    return Object.fromEntries([...resources].map(([name, figures]) => [name, figures.inUse]));
  }

  async function waiting(): Promise<{ id: string; jobs: number; needs: Readonly<Record<string, number>> }[]> {
    return (await scheduler.look()).waiting.map(({ id, jobs, needs }) => ({ id, jobs, needs }));
  }

  it('shows what runs as in use: a request counts for each slot, or once a job, as its consumable says', async () => {
    await submit('-l', 'hfsshpc=2,hfss_solve=1', '-pe', 'smp', '3');
    await expect.poll(inUse, { timeout: 20_000 }).toEqual({ hfsshpc: 6, hfss_solve: 1 });
    expect(await waiting()).toEqual([]);
  });

  it('shows the jobs that wait for tokens, in the order in which they would start', async () => {
    await submit('-l', 'hfsshpc=7');
    await expect.poll(inUse, { timeout: 20_000 }).toMatchObject({ hfsshpc: 7 });
    const wide = await submit('-l', 'hfsshpc=2,hfss_solve=1', '-pe', 'smp', '4');
    const array = await submit('-l', 'hfsshpc=3', '-t', '1-9:2', '-p', '-10');
    const limited = await submit('-l', 'hfsshpc=2', '-t', '1-9', '-tc', '2', '-p', '-20');
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([
      { id: wide, jobs: 1, needs: { hfsshpc: 8, hfss_solve: 1 } },
      { id: array, jobs: 5, needs: { hfsshpc: 3 } },
      { id: limited, jobs: 2, needs: { hfsshpc: 2 } },
    ]);
  });

  it('shows no job that waits for something else', async () => {
    await submit('-l', 'hfsshpc=8');
    await expect.poll(inUse, { timeout: 20_000 }).toMatchObject({ hfsshpc: 8 });
    await submit('-h', '-l', 'hfsshpc=1');
    await submit('-a', '203001010000', '-l', 'hfsshpc=1');
    await submit('-l', 'arch=none');
    const forTokens = await submit('-l', 'hfsshpc=1');
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([{ id: forTokens, jobs: 1, needs: { hfsshpc: 1 } }]);
  });

  it('starts waiting jobs when the total is raised', async () => {
    const job = await submit('-l', 'hfsshpc=12');
    await expect.poll(waiting, { timeout: 20_000 }).toMatchObject([{ id: job }]);
    await scheduler.setTotal('hfsshpc', 12);
    await expect.poll(inUse, { timeout: 20_000 }).toMatchObject({ hfsshpc: 12 });
  });

  it('takes a total below what is in use: nothing ends, nothing starts, and the use stays right', async () => {
    await submit('-l', 'hfsshpc=6');
    await expect.poll(inUse, { timeout: 20_000 }).toMatchObject({ hfsshpc: 6 });
    await scheduler.setTotal('hfsshpc', 2);
    const job = await submit('-l', 'hfsshpc=1');
    await expect.poll(waiting, { timeout: 20_000 }).toMatchObject([{ id: job }]);
    expect(await scheduler.figures('hfsshpc')).toEqual({ total: 2, inUse: 6 });
  });

  it('changes one total and leaves the others', async () => {
    await scheduler.setTotal('hfsshpc', 0);
    expect((await scheduler.look()).resources).toEqual(
      new Map([
        ['hfsshpc', { total: 0, inUse: 0 }],
        ['hfss_solve', { total: 4, inUse: 0 }],
      ]),
    );
  });

  it('still has the total and the use after its master was killed', async () => {
    await submit('-l', 'hfsshpc=6');
    await expect.poll(inUse, { timeout: 20_000 }).toMatchObject({ hfsshpc: 6 });
    await scheduler.setTotal('hfsshpc', 5);
    await lab.crashMaster();
    expect(await scheduler.figures('hfsshpc')).toEqual({ total: 5, inUse: 6 });
  });

  it('says what Grid Engine says about a total that it refuses', async () => {
    await expect(scheduler.setTotal('hfsshpc', -1)).rejects.toThrow('is consumable but has a negative value');
  });
});
