import type { ReferenceController } from '../../onprem/controller.ts';
import { phaseOf } from '../domain/grants.ts';
import { isConfirmed, totalOf } from '../domain/ledger.ts';
import type { Grant, Instant, ResourceLedger, SitePolicy } from '../domain/model.ts';
import type { TraceJob } from '../traces/job.ts';

/**
 * A site that a driver takes through time. The simulator's is made of in-memory parts, that of a lockstep run of the
 * real functions, servers and database under a stepped clock; the same driver steps both, so they see the same instants
 * in the same order.
 */
export interface World {
  /** The next instant at which something happens by itself. */
  nextEventAt(): Instant | undefined;
  /** Moves the clock; jobs that end by then end, and what fits starts. */
  advance(to: Instant): Promise<void>;
  submit(jobs: readonly TraceJob[]): Promise<void>;
  /** What the schedule triggers. */
  tick(): Promise<void>;
  /** A pass would find nothing to do, and will not before something else happens (see `atRest`). */
  isAtRest(): Promise<boolean>;
  /** Until nothing is under way. */
  settle(): Promise<void>;
}

/**
 * The controller applies every total, no job waits, and all that is lent is lent without an end and, but for the headroom,
 * in use. Only a job can end such a rest: all rules that depend on time alone are about tokens that are not in use, grants
 * that end, are under way or recalled, or totals that are not yet confirmed.
 */
export function atRest(
  ledgers: readonly ResourceLedger[],
  policy: SitePolicy,
  controller: Pick<ReferenceController, 'waiting' | 'figures'>,
): boolean {
  if (ledgers.length < policy.resources.length || controller.waiting().length > 0) return false;
  const headrooms = new Map(policy.resources.map(({ resource, headroom }) => [resource, headroom]));
  return ledgers.every((ledger) => {
    if (!isConfirmed(ledger)) return false;
    if (ledger.grants.length === 0) return true;
    const headroom = headrooms.get(ledger.resource);
    if (headroom === undefined || !ledger.grants.every(isSettled)) return false;
    return totalOf(ledger.target) - controller.figures(ledger.resource).inUse <= headroom;
  });
}

function isSettled(grant: Grant): boolean {
  return phaseOf(grant) === 'active' && grant.recall === undefined && grant.expiresAt === undefined;
}

/** What to take a world through. */
export interface Drive {
  /** Sorted by `submit`. */
  readonly jobs: readonly TraceJob[];
  readonly from: Instant;
  readonly to: Instant;
  /** As the schedule of the deployed functions. */
  readonly tickSeconds: number;
  /** Also those ticks that find the site at rest, which else are left out: most minutes of a year are such. */
  readonly everyTick?: boolean;
  /** After all that happens at one instant, and once at `to`. */
  readonly afterStep?: () => void;
  readonly onProgress?: (now: Instant) => void;
}

/** Ends at `to`, whether or not jobs are still waiting or running. */
export async function drive(
  world: World,
  { jobs, from, to, tickSeconds, everyTick, afterStep, onProgress }: Drive,
): Promise<void> {
  let nextJob = 0;
  let nextTick = from;
  const period = tickSeconds * 1000;
  for (;;) {
    const submitAt = jobs[nextJob]?.submit ?? Infinity;
    const nextEvent = Math.min(Math.max(from, submitAt), world.nextEventAt() ?? Infinity);
    if (nextTick < nextEvent && !everyTick && (await world.isAtRest())) {
      nextTick += Math.ceil((Math.min(nextEvent, to + period) - nextTick) / period) * period;
    }
    const now = Math.min(nextTick, nextEvent);
    if (now > to) break;
    await world.advance(now);
    const first = nextJob;
    while ((jobs[nextJob]?.submit ?? Infinity) <= now) nextJob += 1;
    if (nextJob > first) await world.submit(jobs.slice(first, nextJob));
    await world.settle();
    if (nextTick === now) {
      nextTick += period;
      await world.tick();
      await world.settle();
      onProgress?.(now);
    }
    afterStep?.();
  }
  await world.advance(to);
  await world.settle();
  afterStep?.();
}
