import type { Instant } from '../domain/model.ts';
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
  /** Until nothing is under way. */
  settle(): Promise<void>;
}

export interface Drive {
  /** Sorted by `submit`. */
  readonly jobs: readonly TraceJob[];
  readonly from: Instant;
  readonly to: Instant;
  /** As the schedule of the deployed functions. */
  readonly tickSeconds: number;
  /** After all that happens at one instant, and once at `to`. */
  readonly afterStep?: () => void;
  readonly onProgress?: (now: Instant) => void;
}

/** Ends at `to`, whether or not jobs are still waiting or running. */
export async function drive(
  world: World,
  { jobs, from, to, tickSeconds, afterStep, onProgress }: Drive,
): Promise<void> {
  let nextJob = 0;
  let nextTick = from;
  for (;;) {
    const submitAt = jobs[nextJob]?.submit ?? Infinity;
    const now = Math.min(nextTick, Math.max(from, submitAt), world.nextEventAt() ?? Infinity);
    if (now > to) break;
    await world.advance(now);
    const first = nextJob;
    while ((jobs[nextJob]?.submit ?? Infinity) <= now) nextJob += 1;
    if (nextJob > first) await world.submit(jobs.slice(first, nextJob));
    await world.settle();
    if (nextTick === now) {
      nextTick += tickSeconds * 1000;
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
