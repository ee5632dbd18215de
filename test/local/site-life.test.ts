import { expect, it, onTestFinished } from 'vitest';
import { drive } from '../../shared/simulation/drive.ts';
import { startLockstep, type LockstepWorld } from '../../shared/local/lockstep.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { job, madeSite, minute, pulled, pushed, second, start } from './made-site.ts';
import { Status } from './status.ts';

const silent = new JsonLog(() => {});

it.each([
  ['pushed to', pushed],
  ['that fetches its calls', pulled],
])(
  'borrows for a job that waits, runs it, and gives back what has gone unused, with a controller %s',
  async (_how, delivery) => {
    const { site, directory } = await madeSite((text) => delivery(text.replace('borrowAfter: 0s', 'borrowAfter: 90s')));
    const world = await startLockstep({ site, directory, start, log: silent });
    onTestFinished(() => world.close());
    const status = new Status(world.site.functions.url);
    const seen: string[] = [];
    const jobs = [job(start + 10 * second, 24, 300)];
    for (let from = start; from < start + 15 * minute; from += minute) {
      await drive(world, { jobs, from, to: from + minute - 1, tickSeconds: 60, everyTick: true });
      jobs.length = 0;
      const look = await lookAround(world, status);
      if (look !== seen.at(-1)) seen.push(look);
    }
    expect(seen).toEqual([
      'total 8, in use 0, waiting 24, lent 0',
      'total 24, in use 24, waiting 0, lent 16',
      'total 24, in use 0, waiting 0, lent 16',
      'total 8, in use 0, waiting 0, lent 16',
      'total 8, in use 0, waiting 0, lent 0',
    ]);
    expect((await status.changes()).map(({ kind }) => kind)).toEqual([
      'opened',
      'confirmed',
      'borrow',
      'granted',
      'confirmed',
      'withdraw',
      'confirmed',
      'returned',
    ]);
  },
);

/** What the controller and the pool themselves know, once the status API says the same. */
async function lookAround({ site: { controller, pools } }: LockstepWorld, status: Status): Promise<string> {
  const { applied, inUse, waiting } = await status.figures();
  expect(controller.controller.figures('hfsshpc')).toEqual({ total: applied, inUse });
  const waits = controller.controller.waiting().map(({ jobs, needs }) => jobs * (needs['hfsshpc'] ?? 0));
  expect(waits.reduce((sum, tokens) => sum + tokens, 0)).toBe(waiting);
  const lent = ((await pools.get('burst')?.pool.list('munich')) ?? []).map((grant) =>
    grant.state === 'granted' ? grant.tokens : 0,
  );
  const sum = lent.reduce((total, tokens) => total + tokens, 0);
  return `total ${applied}, in use ${inUse}, waiting ${waiting}, lent ${sum}`;
}
