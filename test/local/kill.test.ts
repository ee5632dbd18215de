import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HttpError } from '../../shared/adapters/http/client.ts';
import { Esr, esr, processesWith } from '../cli/esr.ts';
import { job, madeSite, minute, pulled, pushed, start, traceFile } from './made-site.ts';
import { outsideView, submittedJobs } from './outside-view.ts';
import { Status, until } from './status.ts';

type Figures = Awaited<ReturnType<Status['figures']>>;

const owned = 8;
/** Each needs borrowed tokens, which are back before the next one comes. */
const jobs = Array.from({ length: 10 }, (_, index) => job(start + index * 15 * minute, 24, 120));

/** When to kill, and how many milliseconds after that has been seen. */
const moments: readonly (readonly [moment: (figures: Figures) => boolean, delay: number])[] = [
  [() => true, 0],
  [({ inUse }) => inUse === 24, 0],
  [({ borrowed, inUse }) => borrowed > 0 && inUse === 0, 0],
  [({ going }) => going > 0, 10],
  [({ borrowed, going }) => borrowed + going === 0, 150],
];

it.each([
  ['calls its controller', pushed],
  ['is asked by its controller for its calls', pulled],
])(
  'a site that %s loses nothing and promises nothing twice when it is killed at any moment and started again',
  async (_how, delivery) => {
    const made = await madeSite(delivery);
    const { file, directory } = made;
    const trace = await traceFile(made, jobs);
    const run = async () => {
      const options = ['--trace', trace, '--speed', '240', '--port', '0', '--data', directory, '--json'];
      const site = new Esr('local', file, ...options);
      const status = new Status(await site.printed(/"url":"([^"]+)"/));
      const view = await outsideView(directory, await site.printed(/"controllerUrl":"([^"]+)"/));
      return { site, status, view, broken: watchPromise(view) };
    };

    for (const [moment, delay] of moments) {
      const { site, status, broken } = await run();
      await until(async () => moment(await status.figures()));
      await sleep(delay);
      await site.end('SIGKILL');
      expect(await broken).toBeUndefined();
      await until(async () => (await processesWith(directory)).length === 0);
    }

    const { site, view, broken } = await run();
    // The last job has come and gone.
    await site.printed(/("at":"2026-01-05T(10:[2-5]|1[1-9]))/);
    await until(async () => (await view.cluster()).waiting === 0 && (await view.lent()) === 0);
    expect(await view.cluster()).toEqual({ total: owned, inUse: 0, waiting: 0 });
    expect(await site.end('SIGINT')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await broken).toBeUndefined();
    expect(await submittedJobs(directory)).toEqual(jobs.map((_, index) => `job-${index + 1}`));
    expect(await esr('replay', file, '--data', directory)).toMatchObject({ exitCode: 0 });
  },
  300_000,
);

/** Looks until the site is gone: what the controller applied that was not owned or lent, if anything. */
async function watchPromise(view: Awaited<ReturnType<typeof outsideView>>): Promise<string | undefined> {
  try {
    for (;;) {
      const before = await view.lent();
      const { total } = await view.cluster();
      // A loan that came or went between the looks is in one of them.
      const lent = Math.max(before, await view.lent());
      if (total > owned + lent) return `a total of ${total} with ${lent} lent`;
    }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return undefined;
  }
}
