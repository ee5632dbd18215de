/** A cluster whose jobs start in order as soon as all their tokens are there, and the totals it has been told. */
import { isNewer } from '../../shared/domain/ledger.ts';
import type { Instant, Observation, ObservedResource, Tokens, WaitingClass } from '../../shared/domain/model.ts';
import type { TotalOutcome } from '../../shared/domain/outcomes.ts';
import type { TotalUpdate } from '../../shared/ports.ts';

export type Needs = Readonly<Record<string, Tokens>>;

interface Applied {
  readonly total: Tokens;
  readonly owned: Tokens;
  readonly epoch: number;
  readonly sequence: number;
  readonly expiries: TotalUpdate['expiries'];
}

const bucketSeconds = 60;
const buckets = 61;

export class Cluster {
  readonly totals = new Map<string, Applied>();
  readonly #needs = new Map<string, { at: Instant; need: Tokens }[]>();
  running: Needs[] = [];
  waiting: { needs: Needs; since: Instant }[] = [];

  constructor(owned: Needs, now: Instant) {
    for (const [name, total] of Object.entries(owned)) {
      this.totals.set(name, { total, owned: total, epoch: 0, sequence: 0, expiries: [] });
      this.#needs.set(name, [{ at: now - 2 * buckets * bucketSeconds * 1_000, need: 0 }]);
    }
  }

  inUse(name: string): Tokens {
    return this.running.reduce((sum, needs) => sum + (needs[name] ?? 0), 0);
  }

  /** Tokens past their expiry stay in the total only as long as they are in use. */
  total(name: string, now: Instant): Tokens {
    const { total = 0, owned = 0, expiries = [] } = this.totals.get(name) ?? {};
    const expired = expiries.reduce((sum, { at, tokens }) => sum + (at <= now ? tokens : 0), 0);
    return Math.max(owned, total - expired, Math.min(total, this.inUse(name)));
  }

  submit(jobs: number, needs: Needs, now: Instant): void {
    for (let job = 0; job < jobs; job += 1) this.waiting.push({ needs, since: now });
    this.schedule(now);
  }

  end(jobs: number, now: Instant): void {
    this.running.splice(0, jobs);
    this.schedule(now);
  }

  schedule(now: Instant): void {
    this.#remember(now);
    this.waiting = this.waiting.filter(({ needs }) => {
      const fits = Object.entries(needs).every(([name, need]) => this.inUse(name) + need <= this.total(name, now));
      if (fits) this.running.push(needs);
      return !fits;
    });
    this.#remember(now);
  }

  setTotal(update: TotalUpdate, now: Instant): TotalOutcome {
    const { resource, owned, total, epoch, sequence, expiries } = update;
    const before = this.totals.get(resource);
    const inUse = this.inUse(resource);
    if (before === undefined || !isNewer(update, before)) {
      const same = before?.epoch === epoch && before.sequence === sequence;
      if (same) return { outcome: 'applied', total, inUse };
      return { outcome: 'stale', epoch: before?.epoch ?? 0, sequence: before?.sequence ?? 0 };
    }
    if (total < inUse) return { outcome: 'below-in-use', inUse };
    this.totals.set(resource, { total, owned, epoch, sequence, expiries });
    this.schedule(now);
    return { outcome: 'applied', total, inUse: this.inUse(resource) };
  }

  observe(now: Instant): Observation {
    this.schedule(now);
    const resources = [...this.totals].map(([name, { epoch, sequence }]): ObservedResource => {
      const recentPeaks = { bucketSeconds, needs: this.#peaks(name, now) };
      return { name, total: this.total(name, now), epoch, sequence, inUse: this.inUse(name), recentPeaks };
    });
    const waiting = this.waiting.map(({ needs, since }): WaitingClass => ({
      jobs: 1,
      needs,
      waitingSeconds: (now - since) / 1_000,
    }));
    return { receivedAt: now, resources, waiting };
  }

  #remember(at: Instant): void {
    for (const [name, history] of this.#needs) {
      const waiting = this.waiting.reduce((sum, { needs }) => sum + (needs[name] ?? 0), 0);
      history.push({ at, need: this.inUse(name) + waiting });
      const forgotten = history.findLastIndex((entry) => entry.at <= at - buckets * bucketSeconds * 1_000);
      history.splice(0, Math.max(0, forgotten));
    }
  }

  #peaks(name: string, now: Instant): Tokens[] {
    const history = this.#needs.get(name) ?? [];
    return Array.from({ length: buckets }, (_, index) => {
      const until = now - (buckets - 1 - index) * bucketSeconds * 1_000;
      const from = until - bucketSeconds * 1_000;
      const standing = history.findLast(({ at }) => at <= from)?.need ?? 0;
      const within = history.filter(({ at }) => at > from && at <= until).map(({ need }) => need);
      return Math.max(standing, ...within);
    });
  }
}
