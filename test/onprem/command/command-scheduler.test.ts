import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandScheduler } from '../../../onprem/command/command-scheduler.ts';
import type { CommandSettings } from '../../../onprem/command/config.ts';
import { SchedulerError } from '../../../onprem/scheduler.ts';
import { systemClock } from '../../../shared/adapters/system-clock.ts';
import { ManualClock } from '../manual-clock.ts';
import type { TinyScheduler } from './tiny-scheduler-process.ts';

const script = fileURLToPath(new URL('tiny-scheduler-process.ts', import.meta.url));
const tsx = import.meta.resolve('tsx');

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'command-scheduler-'));
  file = join(folder, 'state.json');
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const idle: TinyScheduler = {
  resources: { hfsshpc: { total: 40, inUse: 12 }, hfss_solve: { total: 4, inUse: 0 } },
  waiting: [],
};

async function given(state: TinyScheduler): Promise<void> {
  await writeFile(file, JSON.stringify(state));
}

async function stateNow(): Promise<TinyScheduler> {
  const state: TinyScheduler = JSON.parse(await readFile(file, 'utf8'));
  return state;
}

function tiny(verb: string): CommandSettings['look'] {
  return [process.execPath, '--import', tsx, script, file, verb];
}

function scheduler(over: Partial<CommandSettings> = {}, clock = systemClock): CommandScheduler {
  const settings: CommandSettings = {
    kind: 'command',
    look: tiny('look'),
    setTotal: tiny('set-total'),
    settle: tiny('settle'),
    uncertainFor: '1m',
    programTimeout: '20s',
    ...over,
  };
  return new CommandScheduler(settings, { resources: ['hfsshpc', 'hfss_solve'], directory: folder, clock });
}

/** A look program that prints this text. */
function printing(text: string): Partial<CommandSettings> {
  return { look: [process.execPath, '-e', 'process.stdout.write(process.argv[1])', text] };
}

describe('a look', () => {
  it('shows every resource, and the waiting jobs in the order of the program', async () => {
    await given({
      ...idle,
      waiting: [
        { id: '12', jobs: 3, needs: { hfsshpc: 32, hfss_solve: 1 }, waitingSeconds: 84 },
        { id: '9', jobs: 1, needs: { hfsshpc: 8 }, waitingSeconds: 0.5 },
      ],
    });
    const clock = new ManualClock();
    const view = await scheduler({}, clock).look();
    expect(Object.fromEntries(view.resources)).toEqual(idle.resources);
    expect(view.waiting).toEqual([
      { id: '12', jobs: 3, needs: { hfsshpc: 32, hfss_solve: 1 }, waitingSince: clock.now() - 84_000 },
      { id: '9', jobs: 1, needs: { hfsshpc: 8 }, waitingSince: clock.now() - 500 },
    ]);
  });

  it("ignores what is not in the gateway's config, however odd", async () => {
    const view = await scheduler(
      printing(
        JSON.stringify({
          resources: { ...idle.resources, unlimited: { total: 4_294_967_295, inUse: -1 } },
          waiting: [
            { id: '1', jobs: 1, needs: { unlimited: 0 }, waitingSeconds: 1 },
            { id: '2', jobs: 1, needs: { unlimited: 7, hfsshpc: 8 }, waitingSeconds: 1 },
          ],
          version: 'of the scheduler',
        }),
      ),
    ).look();
    expect([...view.resources.keys()]).toEqual(['hfsshpc', 'hfss_solve']);
    expect(view.waiting.map(({ id, needs }) => ({ id, needs }))).toEqual([{ id: '2', needs: { hfsshpc: 8 } }]);
  });

  it('leaves out a job that asks for more than any total can be, so that it hides no other', async () => {
    await given({
      ...idle,
      waiting: [
        { id: '1', jobs: 1, needs: { hfsshpc: 10_000_001 }, waitingSeconds: 1 },
        { id: '2', jobs: 1, needs: { hfsshpc: 10_000_000 }, waitingSeconds: 1 },
      ],
    });
    expect((await scheduler().look()).waiting.map(({ id }) => id)).toEqual(['2']);
  });

  it('shows the figures of one resource alone', async () => {
    await given(idle);
    expect(await scheduler().figures('hfss_solve')).toEqual({ total: 4, inUse: 0 });
  });

  it('finds a program by a path relative to its directory', async () => {
    await writeFile(join(folder, 'look'), `#!/bin/sh\necho '${JSON.stringify(idle)}'\n`, { mode: 0o755 });
    expect((await scheduler({ look: ['./look'] }).look()).resources.size).toBe(2);
  });
});

describe('a look at a program that prints something else', () => {
  it.each([
    ['', 'it is empty'],
    ['12 of 40', 'it is not JSON (SyntaxError: '],
    ['[]', 'body: a map, found a list of 0'],
    [
      JSON.stringify({ ...idle, resources: { hfsshpc: { total: 4, inUse: 0 } } }),
      'resources.hfss_solve: a map, found nothing',
    ],
    [
      JSON.stringify({ ...idle, resources: { ...idle.resources, hfsshpc: { total: '40', inUse: 12.5 } } }),
      'resources.hfsshpc.total: a whole number, found "40", and resources.hfsshpc.inUse: a whole number, found 12.5',
    ],
    [
      JSON.stringify({ ...idle, waiting: [{ id: '1', jobs: 0, needs: { hfsshpc: 1 }, waitingSeconds: 1 }] }),
      'waiting[0].jobs: at least 1, found 0',
    ],
    [
      JSON.stringify({ ...idle, waiting: [{ id: '1', jobs: 1, needs: { hfsshpc: -1 }, waitingSeconds: 1 }] }),
      'waiting[0].needs.hfsshpc: at least 1, found -1',
    ],
  ])('fails for %j, naming the program, the place and the mend', async (text, fault) => {
    const looking = scheduler(printing(text)).look();
    await expect(looking).rejects.toThrow(SchedulerError);
    const message = await looking.catch(String);
    expect(message).toContain(`reading what ${process.execPath} -e`);
    expect(message).toContain(`printed: ${fault}`);
    expect(message).toContain('; correct the program (docs/schedulers.md has the form)');
  });

  it('fails for a program that fails, whatever it printed', async () => {
    const look: CommandSettings['look'] = [process.execPath, '-e', `console.log('{}'); process.exitCode = 7`];
    await expect(scheduler({ look }).look()).rejects.toThrow(/^running .*: exit code 7; run it by hand/);
  });

  it('fails for a program that hangs, within the time that it is given', async () => {
    const looking = scheduler({ look: ['sleep', '1000'], programTimeout: '1s' }).look();
    await expect(looking).rejects.toMatchObject({ timedOut: true });
  });
});

describe('setting a total', () => {
  it('gives the program the resource and the total, and resolves when the scheduler shows it', async () => {
    await given(idle);
    await scheduler().setTotal('hfsshpc', 8);
    expect((await stateNow()).resources).toEqual({ ...idle.resources, hfsshpc: { total: 8, inUse: 12 } });
  });

  it('looks again for as long as the scheduler shows another total', async () => {
    await given({ ...idle, lateByLooks: 2 });
    await scheduler().setTotal('hfsshpc', 72);
    expect((await stateNow()).resources['hfsshpc']?.total).toBe(72);
  });

  it('fails where the scheduler never shows it, though the program ended well', async () => {
    await given(idle);
    const setting = scheduler({ setTotal: ['true'], programTimeout: '1s', ...printing(JSON.stringify(idle)) });
    await expect(setting.setTotal('hfsshpc', 72)).rejects.toThrow(
      'setting the total of hfsshpc to 72: true ended well, but the scheduler still shows 40; see whether it took the change',
    );
  });

  it('fails with what the program said', async () => {
    await given(idle);
    const setTotal: CommandSettings['setTotal'] = ['sh', '-c', 'echo denied >&2; exit 1'];
    await expect(scheduler({ setTotal }).setTotal('hfsshpc', 72)).rejects.toThrow('exit code 1, saying "denied"');
    expect((await stateNow()).resources).toEqual(idle.resources);
  });
});

describe('settling', () => {
  it('is over when its program has ended', async () => {
    await given(idle);
    await scheduler().settle();
    expect((await stateNow()).settled).toBe(true);
  });

  it('fails where its program does', async () => {
    await expect(scheduler({ settle: ['false'] }).settle()).rejects.toThrow(SchedulerError);
  });

  it('is over when the time for it has passed', async () => {
    const clock = new ManualClock();
    let settled = false;
    const settling = scheduler({ settle: '15s' }, clock)
      .settle()
      .then(() => (settled = true));
    clock.set(clock.now() + 14_999);
    await Promise.resolve();
    expect(clock.sleeping).toBe(1);
    expect(settled).toBe(false);
    clock.set(clock.now() + 1);
    await settling;
    expect(settled).toBe(true);
  });
});

it('tells for how long a change is uncertain', () => {
  expect(scheduler({ uncertainFor: '1m30s' }).uncertainSeconds).toBe(90);
});
