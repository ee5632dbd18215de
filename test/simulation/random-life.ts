/** A random site that lives through random hours full of faults, drawn from a seed. */
import { assembleSite, type LoadedSite } from '../../shared/config/load.ts';
import { faultless, randomFaults } from '../../shared/simulation/faults.ts';
import type { TraceJob } from '../../shared/traces/job.ts';
import { randomSource } from '../../shared/traces/random.ts';
import { agree, nothingBorrowed, ticksToAgree, ticksToReturnAll } from '../promises/8-it-ends.ts';
import { Lab, minute, start } from '../reconcile/lab.ts';

class Draw {
  readonly random: () => number;
  constructor(seed: number) {
    this.random = randomSource(seed);
  }
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low + 1));
  }
  of<T>(...values: readonly [T, ...T[]]): T {
    return values[Math.floor(this.random() * values.length)] ?? values[0];
  }
  happens(chance: number): boolean {
    return this.random() < chance;
  }
}

/** Throws the promise that broke, with what happened before. */
export async function liveThroughFaults(seed: number): Promise<void> {
  const draw = new Draw(seed);
  const lab = new Lab(randomSite(draw));
  try {
    await live(lab, draw);
  } catch (error) {
    const { providers, resources } = lab.site.file;
    const site = JSON.stringify({ providers: providers.map(({ name, offers }) => [name, offers]), resources });
    throw new Error(`seed ${seed}: ${String(error)}\n${site}\n${lab.watch.story.last(60)}`, { cause: error });
  }
}

async function live(lab: Lab, draw: Draw): Promise<void> {
  const { policy, pools } = lab.site;
  lab.faults.dealer = randomFaults(draw.random, draw.of(0.02, 0.1, 0.3));
  for (let part = draw.between(3, 8); part > 0; part -= 1) {
    await lab.minutes(draw.between(1, 20), randomJobs(draw, lab.now));
    if (draw.happens(0.3)) await recallSomething(lab, draw);
    if (draw.happens(0.3)) await neighbourAsks(lab, draw);
  }
  lab.faults.dealer = faultless;
  await lab.minutes(ticksToAgree);
  agree(await lab.look(), policy);

  while (lab.world.nextEventAt() !== undefined && lab.now < start + maxHours * 60 * minute) await lab.minutes(5);
  await lab.minutes(ticksToReturnAll(policy, pools));
  nothingBorrowed(await lab.look(), policy);
  await lab.replayed();
}

/** By then all jobs have run, on owned tokens alone if need be. */
const maxHours = 12;

function randomSite(draw: Draw): LoadedSite {
  const offer = (): object => ({
    capacity: draw.of(8, 16, 64),
    block: draw.of(1, 1, 4),
    minimumHold: draw.of('0s', '0s', '10m'),
    partialReturns: draw.happens(0.5),
    costPerTokenHour: draw.of(0, 1, 2),
    ...(draw.happens(0.3) ? { lease: draw.of('20m', '1h') } : {}),
  });
  const resource = (total: number): object => ({
    shared: true,
    total,
    elastic: {
      providers: ['burst', 'vendor'],
      providerOrder: draw.of('listed', 'cheapest'),
      maxBorrowed: draw.of(8, 24),
      maxStep: draw.of(4, 24),
      borrowAfter: draw.of('0s', '0s', '90s'),
      returnAfter: draw.of('2m', '10m'),
      headroom: 0,
      linger: draw.of('0s', '0s', '2m'),
      onStale: draw.of('keep', 'ownedOnly'),
      staleAfter: '2m',
      ...(draw.happens(0.2) ? { spendingCap: { amount: draw.of(4, 40), per: 'day' } } : {}),
    },
  });
  return assembleSite({
    site: 'lab',
    providers: ['burst', 'vendor'].map((name) => ({
      name,
      kind: 'pool',
      offers: { hfsshpc: offer(), hfss_solve: offer() },
    })),
    resources: { hfsshpc: resource(8), hfss_solve: resource(2) },
  });
}

/** Each fits into what is owned, so that every job ends at last. */
function randomJobs(draw: Draw, now: number): TraceJob[] {
  const jobs = Array.from({ length: draw.between(0, 6) }, () => ({
    submit: now + draw.between(1, 5) * minute + draw.of(0, 0, 17_000),
    needs: { hfsshpc: draw.between(1, 8), ...(draw.happens(0.5) ? { hfss_solve: draw.between(1, 2) } : {}) },
    runSeconds: draw.between(1, 12) * 60,
  }));
  return jobs.sort((one, other) => one.submit - other.submit);
}

async function recallSomething(lab: Lab, draw: Draw): Promise<void> {
  const { lent } = await lab.look();
  const grant = lent[draw.between(0, lent.length - 1)];
  if (grant === undefined) return;
  lab.watch.story.note(lab.now, `${grant.provider} recalls ${grant.id}`);
  await lab.world.pools.get(grant.provider)?.recall(grant.id, draw.of(undefined, 300));
}

/** Another site borrows of the same pool, so that less is left. */
async function neighbourAsks(lab: Lab, draw: Draw): Promise<void> {
  const pool = lab.world.pools.get('burst');
  const id = `neighbour-${lab.now}`;
  const asked = { resource: 'hfsshpc', tokens: draw.of(4, 8, 16) };
  const answer = await pool?.request('neighbour', id, asked);
  lab.watch.story.note(lab.now, `the neighbour asks burst for ${asked.tokens}: ${answer?.state ?? ''}`);
}
