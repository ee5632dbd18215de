/** One seed from its first step to its rest. */
import { agree, nothingBorrowed, ticksToAgree, ticksToReturnAll } from '../test/promises/8-it-ends.ts';
import { breaker } from '../test/promises/check.ts';
import { lentTokens } from '../test/promises/sight.ts';
import { Draw } from './draw.ts';
import type { FaultCounts } from './fault-kinds.ts';
import { Life } from './life.ts';
import { drained } from './network.ts';
import { untold, type Story } from './story.ts';
import { troubleMakers } from './trouble.ts';

export interface Outcome {
  readonly seed: number;
  readonly faults: FaultCounts;
  /** Steps in which nothing could happen do not count. */
  readonly steps: number;
  /** Sums up all that happened, so that two runs can be compared. */
  readonly digest: string;
  /** What broke: a promise, or the program. */
  readonly broken?: unknown;
}

/** Which steps a run takes: all up to a number, or those that shrinking has left. */
export function stepsUpTo(steps: number): number[] {
  return Array.from({ length: steps }, (_, index) => index + 1);
}

export async function runSeed(seed: number, steps: readonly number[], story: Story = untold): Promise<Outcome> {
  const life = new Life(seed, story);
  let taken = 0;
  for (const step of steps) {
    life.draw = new Draw(seed, step);
    await takeStep(life);
    taken += 1;
    if (life.oracle.broken !== undefined) break;
  }
  if (life.oracle.broken === undefined) {
    life.draw = new Draw(seed, 0);
    await rest(life);
  }
  const { broken } = life.oracle;
  if (broken !== undefined) life.tell('oracle', () => inWords(broken));
  return {
    seed,
    faults: life.faults,
    steps: taken,
    digest: digestOf(life),
    ...(broken === undefined ? {} : { broken }),
  };
}

async function takeStep(life: Life): Promise<void> {
  const { draw, temper } = life;
  const lot = draw.random();
  if (lot < temper.troubleRate) {
    const trouble = draw.pick(temper.troubles);
    if (trouble !== undefined && (await troubleMakers[trouble](life))) life.faults.add(trouble);
    await drained();
    life.oracle.see();
  } else if (lot < temper.troubleRate + temper.jobRate) {
    life.submitJobs();
    await drained();
  } else {
    await life.passTime(draw.of(0, 0, 200, 1_000));
    // Where calls are under way a long time would let all of them time out.
    if (!(await life.network.land())) await life.passTime(draw.of(2_000, 10_000, 30_000, 60_000));
    else if (draw.happens(0.1)) await life.passTime(draw.of(1_000, 3_000, 9_000));
  }
  life.endNewerSchema();
}

/** Promises 8 and 9: the site comes to rest, and what it did can be decided again. */
async function rest(life: Life): Promise<void> {
  const { site, oracle, world } = life;
  const { policy, pools, policyDigest } = site;
  await life.calm();
  // A standby keeps the lease for two minutes at most, and each fallen clock is caught up with.
  await life.quietMinutes(10 + ticksToAgree);
  // What was lost is not agreed upon before the jobs that use it have ended.
  if (hasLost(life)) await followUse(life);
  else oracle.attempt(() => agree(world.look(), policy));
  await life.quietMinutes(12 * 60, () => world.controller.nextEventAt() === undefined);
  await life.quietMinutes(ticksToReturnAll(policy, pools) + 10);
  oracle.attempt(() => nothingBorrowed(world.look(), policy));
  if (oracle.broken !== undefined) return;
  try {
    await oracle.accepted.areReplayed(life.history(), policy, policyDigest, life.now);
  } catch (error) {
    oracle.broken = error;
  }
}

function hasLost({ world }: Life): boolean {
  return [...world.ledgers.values()].some(({ grants }) => grants.some(({ recall }) => recall?.kind === 'lost'));
}

const broken = breaker(1, 'never more than lent');
/** A job may end right before a look; a pass and a push later its tokens have left the total. */
const minutesToFollow = 5;

/** What a provider took back before its time leaves the total as far as it is not in use. */
async function followUse(life: Life): Promise<void> {
  for (let left = minutesToFollow; left > 0 && uncovered(life) !== undefined; left -= 1) await life.quietMinutes(1);
  const fault = uncovered(life);
  if (fault !== undefined) life.oracle.attempt(() => broken(life.now, fault));
}

function uncovered({ world, site }: Life): string | undefined {
  const { controller, lent } = world.look();
  for (const { resource, owned } of site.policy.resources) {
    const { total = 0, inUse = 0 } = controller.get(resource) ?? {};
    const cover = owned + lentTokens(lent, resource);
    if (total > Math.max(cover, inUse)) {
      return `${resource}: the total is ${total} long after a grant was lost, ${inUse} in use, covered are ${cover}`;
    }
  }
  return undefined;
}

export function inWords(broken: unknown): string {
  return broken instanceof Error ? broken.message : JSON.stringify(broken);
}

function digestOf({ world, pushed, faults }: Life): string {
  const ledgers = [...world.ledgers.values()].map(({ lastEntry }) => lastEntry);
  return JSON.stringify([world.time.now, pushed.length, pushed.at(-1), faults.entries(), ledgers]);
}
