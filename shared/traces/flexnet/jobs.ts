import type { Instant, Tokens } from '../../domain/model.ts';
import type { TraceJob } from '../job.ts';
import type { LicenceEvent, UsageEvent } from '../licence-event.ts';

/** Checkouts of one user@host this close together are of one job, and so are check-ins. */
export const togetherSeconds = 2;

export interface PairedJobs {
  /** By submit; of the same submit, the one first whose first check-in came first. */
  readonly jobs: TraceJob[];
  /** Checkouts that ended with a restart of their daemon or with the log, at least in part. */
  readonly outWithoutIn: number;
  /** Check-ins for more tokens than the log had seen go out. */
  readonly inWithoutOut: number;
}

/**
 * Makes jobs of checkouts and check-ins. A job is what one user@host checked out together *and* checked in together. What
 * came back apart are jobs apart: letting one job run to its last check-in would add 10 % to the token-hours of a
 * university's log, where two jobs often begin in the same second. Split so, no checkout is off by more than
 * twice `togetherSeconds`.
 *
 * A check-in takes from the oldest checkouts of the same feature and user@host, split where quantities differ. When a vendor
 * daemon starts, its checkouts have ended: the new process has handed out nothing, and clients that live on check out anew.
 * What never comes back ends with the log.
 */
export function pairJobs(events: Iterable<LicenceEvent>, endsAt: Instant): PairedJobs {
  const pairing = new Pairing();
  for (const event of events) {
    if (event.kind === 'out') pairing.checkOut(event);
    else if (event.kind === 'in') pairing.checkIn(event);
    else if (event.kind === 'start') pairing.endAll(event.at, event.daemon);
  }
  pairing.endAll(endsAt);
  return pairing.result();
}

/** What one user@host checked out together. */
interface Batch {
  readonly user: string;
  readonly startedAt: Instant;
  /** The job whose tokens came back last. */
  ending?: EndingJob;
}

interface EndingJob {
  readonly user: string;
  readonly firstEnd: Instant;
  submit: Instant;
  end: Instant;
  readonly needs: Map<string, Tokens>;
}

interface Checkout {
  readonly batch: Batch;
  readonly at: Instant;
  readonly feature: string;
  readonly daemon: string;
  /** Still out. */
  tokens: Tokens;
}

class Pairing {
  readonly #latestBatches = new Map<string, Batch>();
  /** By feature and user@host, oldest first. */
  readonly #open = new Map<string, Checkout[]>();
  readonly #jobs: EndingJob[] = [];
  #outWithoutIn = 0;
  #inWithoutOut = 0;

  checkOut({ at, feature, tokens, user, daemon }: UsageEvent): void {
    let batch = this.#latestBatches.get(user);
    if (batch === undefined || !together(batch.startedAt, at)) {
      batch = { user, startedAt: at };
      this.#latestBatches.set(user, batch);
    }
    const checkout = { batch, at, feature, daemon, tokens };
    const queue = this.#open.get(queueKey(feature, user));
    if (queue === undefined) this.#open.set(queueKey(feature, user), [checkout]);
    else queue.push(checkout);
  }

  checkIn({ at, feature, tokens, user }: UsageEvent): void {
    const key = queueKey(feature, user);
    const queue = this.#open.get(key) ?? [];
    let left = tokens;
    while (left > 0) {
      const oldest = queue[0];
      if (oldest === undefined) break;
      const taken = Math.min(left, oldest.tokens);
      this.#end(oldest, taken, at);
      left -= taken;
      if (oldest.tokens === 0) queue.shift();
    }
    if (left > 0) this.#inWithoutOut += 1;
    if (queue.length === 0) this.#open.delete(key);
  }

  /** Ends what is out, of one daemon or of all. */
  endAll(at: Instant, daemon?: string): void {
    for (const [key, queue] of this.#open) {
      for (const checkout of queue) {
        if (daemon !== undefined && checkout.daemon !== daemon) continue;
        this.#end(checkout, checkout.tokens, at);
        this.#outWithoutIn += 1;
      }
      const staying = queue.filter((checkout) => checkout.tokens > 0);
      if (staying.length === 0) this.#open.delete(key);
      else this.#open.set(key, staying);
    }
  }

  result(): PairedJobs {
    const jobs = this.#jobs.map(({ submit, needs, end, user }) => ({
      submit,
      needs: Object.fromEntries(needs),
      runSeconds: Math.max(0, (end - submit) / 1_000),
      user,
    }));
    jobs.sort((one, other) => one.submit - other.submit);
    return { jobs, outWithoutIn: this.#outWithoutIn, inWithoutOut: this.#inWithoutOut };
  }

  #end(checkout: Checkout, tokens: Tokens, at: Instant): void {
    const { batch, feature } = checkout;
    let job = batch.ending;
    if (job === undefined || !together(job.firstEnd, at)) {
      job = { user: batch.user, firstEnd: at, submit: checkout.at, end: at, needs: new Map() };
      batch.ending = job;
      this.#jobs.push(job);
    }
    job.submit = Math.min(job.submit, checkout.at);
    job.end = Math.max(job.end, at);
    job.needs.set(feature, (job.needs.get(feature) ?? 0) + tokens);
    checkout.tokens -= tokens;
  }
}

function together(one: Instant, other: Instant): boolean {
  return Math.abs(other - one) <= togetherSeconds * 1_000;
}

/** Neither half holds a line end. */
function queueKey(feature: string, user: string): string {
  return `${feature}\n${user}`;
}
