import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../../shared/traces/random.ts';
import { orSlurmSkipped, slurmIsInstalled } from '../../../slurm-lab/installed.ts';
import { run } from '../../../slurm-lab/run.ts';
import { atRest } from './at-rest.ts';
import { eventually } from './eventually.ts';
import { holdPromises, recordsOf } from './promises.ts';
import { owned, partNames, startSlurmSite, type PartName, type SlurmSite } from './site.ts';
import { Witness } from './witness.ts';

/** With a number of its own for each, so that the parts are killed in another order. */
const seeds = [
  ['count', 7],
  ['hold', 8],
] as const;

describe.skipIf(!slurmIsInstalled)(`a site on a real Slurm${orSlurmSkipped}`, () => {
  it.concurrent.for(seeds)(
    'loses nothing and promises nothing twice when each part is killed, while jobs run and while tokens go back, its total set as a %s',
    { timeout: 900_000 },
    async ([totals, seed], context) => {
      const random = randomSource(seed);
      const site = await startSlurmSite(totals, context);
      await atRest(site);
      const witness = new Witness(site);

      const stop = new AbortController();
      const working = submitJobs(site, randomSource(seed), stop.signal);
      await killEach(site, () => 1 + random() * 5, random);
      stop.abort();
      expect(await working).toBeGreaterThan(0);
      // A slurmctld that was killed holds jobs that it has started twice, and runs some that have ended.
      await site.lab.slurm.cancelAll();
      await eventually('tokens go back', async () => (await site.status.figures()).going > 0, 300);
      await killEach(site, () => random() * 2, random);
      await atRest(site, 420);

      const records = await recordsOf(site, await witness.end());
      holdPromises(records);
      expect(Math.max(...records.testimony.counted.map(({ value }) => value.used))).toBeGreaterThan(owned);
    },
  );

  it.concurrent(
    'says that slurmdbd is down where a raise fails, and confirms the raise by itself once it is there again',
    { timeout: 600_000 },
    async (context) => {
      const site = await startSlurmSite('count', context);
      await atRest(site);
      const witness = new Witness(site);

      await site.kill('slurmdbd');
      await site.submit(owned + 4, 20);
      await eventually('the gateway has refused', async () => site.gateway.output.includes('slurmdbd does not answer'));
      await eventually('the site has been told so', async () =>
        /answered 503, .*slurmdbd does not answer/.test(await site.siteLog()),
      );
      await eventually('tokens are borrowed', async () => (await site.lent()).size > 0);
      // Time for many tries.
      await sleep(10_000);
      expect((await site.counted()).total).toBe(owned);
      expect((await site.status.changes()).map(({ kind }) => kind)).not.toContain('confirmed');

      await site.start('slurmdbd');
      await eventually('the job runs', async () => (await site.counted()).used === owned + 4);
      await eventually('the site knows', async () =>
        (await site.status.changes()).some(({ kind }) => kind === 'confirmed'),
      );
      holdPromises(await recordsOf(site, await witness.end()));
    },
  );
});

/** Kills every part once, in any order, each a pause after the last one; resolves when all are there again. */
async function killEach(site: SlurmSite, pauseSeconds: () => number, random: () => number): Promise<void> {
  for (const part of shuffled(partNames, random)) {
    await sleep(pauseSeconds() * 1_000);
    await site.kill(part);
    await sleep(1_000 + random() * 1_000);
    await site.start(part);
  }
}

function shuffled(parts: readonly PartName[], random: () => number): readonly PartName[] {
  return parts
    .map((part) => ({ part, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ part }) => part);
}

/**
 * Some 40 tokens in use, if they are there. Resolves with the number of jobs. A slurmctld that was killed forgets its last
 * seconds, starts jobs a second time, and drains the nodes that refuse; as an operator would, this takes them back.
 */
async function submitJobs(site: SlurmSite, random: () => number, signal: AbortSignal): Promise<number> {
  let jobs = 0;
  while (!signal.aborted) {
    const tokens = 2 + Math.floor(random() * 7);
    const runSeconds = 3 + Math.floor(random() * 10);
    // While slurmctld is down nobody can submit.
    const id = await site.submit(tokens, runSeconds).catch(() => undefined);
    if (id !== undefined) jobs += 1;
    await run(site.lab.environment, 'scontrol', 'update', 'nodename=n[1-2]', 'state=resume').catch(() => undefined);
    await sleep(1_000);
  }
  return jobs;
}
