import { describe, expect, it } from 'vitest';
import { OtherTrace } from '../../shared/local/run-locally.ts';
import { LiveRun } from './live-run.ts';
import { job, madeSite, minute, pulled, pushed, second, start } from './made-site.ts';
import { submittedJobs } from './outside-view.ts';
import { until } from './status.ts';

const longJob = job(start, 24, 86_400);
const shortJob = job(start, 24, 60);

describe('a local run', () => {
  it.each([
    ['called', pushed, 240],
    // A call takes longer, and as much more time of the site as that passes faster.
    ['not called, but fetches its calls', pulled, 60],
  ])(
    'takes a job through waiting, borrowing, running and giving back as its time passes, where the controller is %s',
    async (_how, delivery, speed) => {
      const { status } = await LiveRun.start(await madeSite(delivery), [job(start, 24, 300)], { speed });
      await until(async () => (await status.figures()).inUse === 24);
      expect(await status.figures()).toMatchObject({ total: 24, borrowed: 16, applied: 24, waiting: 0 });
      await until(async () => (await status.grants()).length === 0);
      expect(await status.figures()).toMatchObject({ total: 8, borrowed: 0, applied: 8, inUse: 0 });
    },
  );

  it('begins a second before its first job, and goes on from where it was stopped', async () => {
    const made = await madeSite();
    const first = await LiveRun.start(made, [longJob]);
    expect(first.started.continued).toBe(false);
    await until(async () => (await first.status.figures()).inUse === 24);
    const [changes, totals, grants] = await lookBack(first);
    expect(changes[0]).toMatchObject({ kind: 'opened' });
    expect(Date.parse(changes[0]?.at ?? '')).toBeLessThan(start + minute);
    expect(Date.parse(changes[0]?.at ?? '')).toBeGreaterThanOrEqual(start - second);
    await first.stop();

    const next = await LiveRun.start(made, [longJob]);
    expect(next.started.continued).toBe(true);
    expect(await next.status.figures()).toMatchObject({ total: 24, inUse: 24, waiting: 0 });
    const [laterChanges, laterTotals, laterGrants] = await lookBack(next);
    expect(laterChanges.slice(0, changes.length)).toEqual(changes);
    expect(laterTotals).toEqual(totals);
    expect(laterGrants).toEqual(grants);
    const times = laterChanges.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('does not run a job again that has ended before a second start', async () => {
    const made = await madeSite();
    const first = await LiveRun.start(made, [shortJob]);
    await until(async () => (await first.status.changes()).some(({ kind }) => kind === 'returned'));
    const changes = await first.status.changes();
    await first.stop();
    const again = await LiveRun.start(made, [shortJob]);
    expect(await again.status.figures()).toMatchObject({ inUse: 0, waiting: 0, applied: 8 });
    await again.stop();
    expect(await submittedJobs(made.directory)).toEqual(['job-1']);
    const third = await LiveRun.start(made, []);
    expect(await third.status.changes()).toEqual(changes);
  });

  it('refuses to go on with another trace', async () => {
    const made = await madeSite();
    await (await LiveRun.start(made, [longJob])).stop();
    await expect(LiveRun.start(made, [shortJob])).rejects.toThrow(OtherTrace);
    await (await LiveRun.start(made, [])).stop();
  });

  it('stops when it was told to before it had started', async () => {
    const stopped = await LiveRun.start(await madeSite(), [longJob], { signal: AbortSignal.abort() });
    await expect(stopped.stop()).resolves.toBeUndefined();
  });
});

function lookBack({ status }: LiveRun) {
  return Promise.all([status.changes(), status.totals(), status.grants()]);
}
