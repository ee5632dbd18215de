import type { Instant, Tokens, WaitingClass } from '../../shared/domain/model.ts';
import { Heap } from './heap.ts';
import type { ResourceTokens } from './resource-tokens.ts';
import { fits, isEarlier, keyOf, type Needs, type QueuedJob } from './queued-job.ts';

/** The waiting jobs that need the same; never empty. If the first of them does not fit, none does. */
interface JobClass {
  readonly key: string;
  readonly needs: Needs;
  readonly queue: Heap<QueuedJob>;
  /** As it is reported. */
  readonly tokens: Readonly<Record<string, Tokens>>;
}

/** All waiting jobs, kept by what they need, so that a look at them costs by the number of different needs. */
export class WaitingJobs {
  readonly #classes = new Map<string, JobClass>();

  add(queued: QueuedJob): void {
    const { needs } = queued;
    const key = keyOf(needs);
    let jobClass = this.#classes.get(key);
    if (jobClass === undefined) {
      const tokens = Object.fromEntries(needs.map(({ resource, tokens }) => [resource.name, tokens]));
      jobClass = { key, needs, queue: new Heap(isEarlier), tokens };
      this.#classes.set(key, jobClass);
    }
    jobClass.queue.push(queued);
  }

  /**
   * Gives each job that may start now to `start`, in order; it takes the tokens at once. Tokens only become fewer
   * meanwhile, so a class whose first job may not start is done with.
   */
  startAllThatMay(backfill: boolean, start: (queued: QueuedJob) => void): void {
    const all = [...this.#classes.values()];
    const classes = new Heap(comesFirst, backfill ? all.filter(({ needs }) => fits(needs)) : all);
    const heldBack = new Set<ResourceTokens>();
    for (let next = classes.pop(); next !== undefined; next = classes.pop()) {
      const { key, needs, queue } = next;
      if (fits(needs) && !needs.some(({ resource }) => heldBack.has(resource))) {
        const first = queue.pop();
        if (first !== undefined) start(first);
        if (queue.size > 0) classes.push(next);
        else this.#classes.delete(key);
      } else if (!backfill) {
        needs.forEach(({ resource }) => heldBack.add(resource));
      }
    }
  }

  /** One class for all jobs that need the same, in the order of the first job of each. */
  report(now: Instant): readonly WaitingClass[] {
    const report: WaitingClass[] = [];
    const classes = new Heap(comesFirst, this.#classes.values());
    for (let next = classes.pop(); next !== undefined; next = classes.pop()) {
      const since = next.queue.peek()?.job.submit ?? now;
      report.push({ jobs: next.queue.size, needs: next.tokens, waitingSeconds: (now - since) / 1000 });
    }
    return report;
  }

  /** In no order. */
  get jobs(): readonly QueuedJob[] {
    return [...this.#classes.values()].flatMap(({ queue }) => queue.items);
  }
}

function comesFirst(a: JobClass, b: JobClass): boolean {
  const first = a.queue.peek();
  const other = b.queue.peek();
  return first !== undefined && other !== undefined && isEarlier(first, other);
}
