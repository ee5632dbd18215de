import type { ControllerConfig } from '../../shared/config/derive.ts';
import type { Instant, Tokens, WaitingClass } from '../../shared/domain/model.ts';
import type { Cluster, NeedListener } from '../cluster.ts';
import { UnknownResourceError } from '../errors.ts';
import { Heap } from './heap.ts';
import type { Job } from './job.ts';
import { ResourceTokens, type ResourceStatistics } from './resource-tokens.ts';
import { exceedCeiling, isEarlier, needsOf, type Needs, type QueuedJob } from './queued-job.ts';
import { WaitingJobs } from './waiting-jobs.ts';

/** All that is needed to go on after a restart, apart from the totals. */
export interface ClusterState {
  readonly running: readonly { readonly job: Job; readonly endsAt: Instant }[];
  /** Waiting, unsatisfiable and not yet submitted, in the order in which they may start. */
  readonly queued: readonly Job[];
}

interface RunningJob {
  readonly job: Job;
  readonly needs: Needs;
  readonly endsAt: Instant;
}

/**
 * A batch cluster reduced to its licence tokens. A job takes all its tokens together or waits. Jobs start in the order
 * of their submit times; one that does not fit lets those pass that do (backfill), or else holds later ones back on
 * the resources that it needs. A job that needs more than a resource's ceiling is unsatisfiable: it is kept, but
 * neither waits nor counts as need.
 */
export class ReferenceCluster implements Cluster {
  readonly #resources: ReadonlyMap<string, ResourceTokens>;
  readonly #backfill: boolean;
  readonly #onNeed: NeedListener;
  readonly #ids = new Set<string>();
  /** Jobs whose submit time has not come. */
  readonly #arrivals = new Heap<QueuedJob>(isEarlier);
  readonly #waiting = new WaitingJobs();
  readonly #unsatisfiable: QueuedJob[] = [];
  readonly #running = new Heap<RunningJob>((a, b) => a.endsAt < b.endsAt);
  #accepted = 0;
  #waitsBegun = 0;
  #now: Instant = -Infinity;

  constructor(config: Pick<ControllerConfig, 'resources'> & { backfill?: boolean }, onNeed: NeedListener = () => {}) {
    this.#resources = new Map(config.resources.map((resource) => [resource.name, new ResourceTokens(resource)]));
    this.#backfill = config.backfill ?? true;
    this.#onNeed = onNeed;
  }

  /** Whether a job of this id is queued or running. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Whether some total within the ceilings would let the job start. Throws `UnknownResourceError`. */
  isSatisfiable(job: Job): boolean {
    return !exceedCeiling(needsOf(job, this.#resources));
  }

  /**
   * Each job arrives at its submit time, or at once where that has passed; it counts as waiting since its submit time
   * all the same. The cluster must not have a job of the same id. Throws `UnknownResourceError`.
   */
  submit(jobs: readonly Job[], now: Instant): void {
    this.#accept(jobs);
    this.advance(now);
  }

  advance(to: Instant): void {
    for (let next = this.nextEventAt(); next !== undefined && next <= to; next = this.nextEventAt()) this.#step(next);
    this.#now = Math.max(this.#now, to);
  }

  /** The next end or submit time of a job. */
  nextEventAt(): Instant | undefined {
    const end = this.#running.peek()?.endsAt ?? Infinity;
    const arrival = this.#arrivals.peek()?.job.submit ?? Infinity;
    const next = Math.min(end, arrival);
    return next === Infinity ? undefined : next;
  }

  setTotal(resource: string, total: Tokens, now: Instant): void {
    // Instants are whole milliseconds: what is due at `now` itself happens under the new total.
    this.advance(now - 1);
    this.#resource(resource).total = total;
    this.#step(now);
  }

  inUse(resource: string): Tokens {
    return this.#resource(resource).inUse;
  }

  waiting(now: Instant): readonly WaitingClass[] {
    return this.#waiting.report(now);
  }

  unsatisfiable(): readonly Job[] {
    return this.#unsatisfiable.map(({ job }) => job);
  }

  /** How many jobs could not start when they arrived, so far: when it has grown, demand has begun to wait. */
  get waitsBegun(): number {
    return this.#waitsBegun;
  }

  /** Statistics by resource, once, at the end: jobs that still wait have waited up to `now`. */
  finish(now: Instant): ReadonlyMap<string, ResourceStatistics> {
    this.advance(now);
    this.#waiting.jobs.forEach((queued) => countWait(queued, now));
    return new Map([...this.#resources.values()].map((resource) => [resource.name, resource.statistics]));
  }

  state(): ClusterState {
    const queued = [...this.#waiting.jobs, ...this.#unsatisfiable, ...this.#arrivals.items];
    queued.sort((a, b) => (isEarlier(a, b) ? -1 : 1));
    return {
      running: this.#running.items.map(({ job, endsAt }) => ({ job, endsAt })),
      queued: queued.map(({ job }) => job),
    };
  }

  /** Goes on from a state, in a cluster that is new apart from its totals. */
  restore(state: ClusterState, now: Instant): void {
    for (const { job, endsAt } of state.running) {
      this.#ids.add(job.id);
      this.#run({ job, needs: needsOf(job, this.#resources), endsAt }, now);
    }
    this.#accept(state.queued);
    this.advance(now);
  }

  #resource(name: string): ResourceTokens {
    const resource = this.#resources.get(name);
    if (resource === undefined) throw new UnknownResourceError('looking into the cluster', name);
    return resource;
  }

  /** All of the jobs or, where one cannot be taken, none. */
  #accept(jobs: readonly Job[]): void {
    const accepted = jobs.map((job) => ({ job, needs: needsOf(job, this.#resources) }));
    for (const { job, needs } of accepted) {
      const queued = { job, needs, order: this.#accepted, isWaiting: false };
      this.#accepted += 1;
      this.#ids.add(job.id);
      if (exceedCeiling(needs)) this.#unsatisfiable.push(queued);
      else this.#arrivals.push(queued);
    }
  }

  /** All that happens at one instant: ends, then arrivals, then starts. */
  #step(at: Instant): void {
    const now = Math.max(this.#now, at);
    this.#now = now;
    for (let next = this.#running.peek(); next !== undefined && next.endsAt <= now; next = this.#running.peek()) {
      this.#running.pop();
      this.#end(next, now);
    }
    const arrived: QueuedJob[] = [];
    for (let next = this.#arrivals.peek(); next !== undefined && next.job.submit <= now; next = this.#arrivals.peek()) {
      this.#arrivals.pop();
      this.#queue(next, now);
      arrived.push(next);
    }
    this.#waiting.startAllThatMay(this.#backfill, (queued) => this.#start(queued, now));
    for (const { isWaiting } of arrived) if (isWaiting) this.#waitsBegun += 1;
  }

  #queue(queued: QueuedJob, now: Instant): void {
    queued.isWaiting = true;
    this.#waiting.add(queued);
    for (const { resource, tokens } of queued.needs) {
      resource.waiting += tokens;
      this.#onNeed(resource.name, resource.waiting, now);
    }
  }

  #start(queued: QueuedJob, now: Instant): void {
    const { job, needs } = queued;
    queued.isWaiting = false;
    for (const { resource, tokens } of needs) resource.waiting -= tokens;
    if (job.submit < now) countWait(queued, now);
    this.#run({ job, needs, endsAt: now + Math.round(job.runSeconds * 1000) }, now);
  }

  #run(running: RunningJob, now: Instant): void {
    this.#running.push(running);
    for (const { resource, tokens } of running.needs) {
      resource.take(tokens);
      this.#onNeed(resource.name, resource.waiting, now);
    }
  }

  #end({ job, needs }: RunningJob, now: Instant): void {
    this.#ids.delete(job.id);
    for (const { resource, tokens } of needs) {
      resource.inUse -= tokens;
      this.#onNeed(resource.name, resource.waiting, now);
    }
  }
}

function countWait({ job, needs }: QueuedJob, until: Instant): void {
  for (const { resource, tokens } of needs) resource.countWait(tokens, job.submit, until);
}
