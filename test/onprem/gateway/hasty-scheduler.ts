import {
  SchedulerError,
  type Scheduler,
  type SchedulerFigures,
  type SchedulerView,
} from '../../../onprem/scheduler.ts';
import type { Clock } from '../../../shared/ports.ts';

interface Job {
  readonly id: string;
  readonly resource: string;
  readonly tokens: number;
  readonly submittedAt: number;
  running: boolean;
}

type Fault = 'before' | 'after' | 'late';

/**
 * A scheduler with the habits of Slurm that matter: it takes any total, also one below what is in use; it starts a job
 * on what it decided before a lowering; what a caller gave up waiting for may still take effect; anybody may change it.
 */
export class HastyScheduler implements Scheduler {
  readonly uncertainSeconds = 60;
  readonly totals: Map<string, number>;
  readonly calls: string[] = [];
  readonly #clock: Clock;
  #jobs: Job[] = [];
  /** Ids of jobs that it has decided to start and not yet started. */
  #decided = new Set<string>();
  readonly #late: (() => void)[] = [];
  #faults: Fault[] = [];
  /** Cannot be asked at all. */
  isDown = false;

  constructor(totals: Record<string, number>, clock: Clock) {
    this.totals = new Map(Object.entries(totals));
    this.#clock = clock;
  }

  /** The next change fails: without effect, after it, or so that it takes effect later. */
  failNext(...faults: Fault[]): void {
    this.#faults.push(...faults);
  }

  get hasLate(): boolean {
    return this.#late.length > 0;
  }

  stopFailing(): void {
    this.#faults = [];
    this.thaw();
  }

  /** What was asked for by callers that gave up takes effect now. */
  thaw(): void {
    for (const effect of this.#late.splice(0)) effect();
  }

  submit(id: string, resource: string, tokens: number, { decideOnly = false } = {}): void {
    this.#jobs.push({ id, resource, tokens, submittedAt: this.#clock.now(), running: false });
    if (decideOnly) this.#decide();
    else this.schedule();
  }

  end(id: string): void {
    this.#jobs = this.#jobs.filter((job) => job.id !== id);
    this.schedule();
  }

  /** Decides what to start, and starts it. */
  schedule(): void {
    this.#decide();
    this.startDecided();
  }

  /** Starts what it had decided, whatever the totals are now. */
  startDecided(): void {
    for (const job of this.#jobs) if (this.#decided.has(job.id)) job.running = true;
    this.#decided = new Set();
  }

  inUse(resource: string): number {
    return this.#sum(resource, (job) => job.running);
  }

  get waitingIds(): string[] {
    return this.#jobs.filter((job) => !job.running).map(({ id }) => id);
  }

  async look(): Promise<SchedulerView> {
    this.#ask('look');
    return {
      resources: new Map([...this.totals.keys()].map((name) => [name, this.#figures(name)])),
      waiting: this.#jobs
        .filter((job) => !job.running)
        .map(({ id, resource, tokens, submittedAt }) => ({
          id,
          jobs: 1,
          needs: { [resource]: tokens },
          waitingSince: submittedAt,
        })),
    };
  }

  async figures(resource: string): Promise<SchedulerFigures> {
    this.#ask(`figures ${resource}`);
    return this.#figures(resource);
  }

  async setTotal(resource: string, total: number): Promise<void> {
    this.#ask(`set ${resource} ${total}`);
    const effect = (): void => {
      const isRaise = total > (this.totals.get(resource) ?? 0);
      this.totals.set(resource, total);
      // A lower total breaks off nothing that was decided before.
      if (isRaise) this.schedule();
    };
    const fault = this.#faults.shift();
    if (fault === 'late') this.#late.push(effect);
    if (fault === undefined || fault === 'after') effect();
    if (fault !== undefined) throw new SchedulerError(`setting the total of ${resource}: no answer`);
  }

  async settle(): Promise<void> {
    this.#ask('settle');
    this.startDecided();
  }

  #ask(call: string): void {
    if (this.isDown) throw new SchedulerError(`asking the scheduler (${call}): it is down`);
    this.calls.push(call);
  }

  #figures(resource: string): SchedulerFigures {
    return { total: this.totals.get(resource) ?? 0, inUse: this.inUse(resource) };
  }

  #decide(): void {
    for (const { id, resource, tokens, running } of this.#jobs) {
      const taken = this.#sum(resource, (job) => job.running || this.#decided.has(job.id));
      if (!running && taken + tokens <= (this.totals.get(resource) ?? 0)) this.#decided.add(id);
    }
  }

  #sum(resource: string, counts: (job: Job) => boolean): number {
    return this.#jobs.reduce((sum, job) => (job.resource === resource && counts(job) ? sum + job.tokens : sum), 0);
  }
}
