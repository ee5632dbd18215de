import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReferenceCluster, type ClusterState } from '../../../onprem/reference/cluster.ts';
import type { Job } from '../../../onprem/reference/job.ts';
import { second, start } from '../support.ts';

const names = ['a', 'b', 'c'] as const;
const ceiling = 12;
const resources = names.map((name) => ({ name, owned: 6, ceiling, elastic: true }));

interface TotalChange {
  readonly at: number;
  readonly name: string;
  readonly total: number;
}

const needs = fc
  .array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 0, max: ceiling + 1 })), { minLength: 1, maxLength: 3 })
  .map((entries) => Object.fromEntries(entries));
const jobs = fc
  .array(fc.record({ submit: fc.nat(20), needs, runSeconds: fc.nat(10) }), { maxLength: 25 })
  .map((list) => list.map((one, index): Job => ({ ...one, id: `${index}`, submit: start + one.submit * second })));
const totals = fc
  .array(fc.record({ at: fc.nat(30), name: fc.constantFrom(...names), total: fc.nat(ceiling) }), { maxLength: 6 })
  .map((list) => list.map((change) => ({ ...change, at: start + change.at * second })).sort((a, b) => a.at - b.at));

/** Takes the cluster from event to event, and gives what it looks like after each; at the end all totals are raised. */
function* run(
  cluster: ReferenceCluster,
  submitted: readonly Job[],
  changes: readonly TotalChange[],
): Generator<{ now: number; state: ClusterState; totalOf: ReadonlyMap<string, number> }> {
  const totalOf = new Map<string, number>(resources.map(({ name, owned }) => [name, owned]));
  cluster.submit(submitted, start);
  yield { now: start, state: cluster.state(), totalOf };
  const end = start + 40 * second;
  const raises = names.map((name) => ({ at: end, name, total: ceiling }));
  for (const { at, name, total } of [...changes, ...raises]) {
    for (let next = cluster.nextEventAt(); next !== undefined && next < at; next = cluster.nextEventAt()) {
      cluster.advance(next);
      yield { now: next, state: cluster.state(), totalOf };
    }
    cluster.setTotal(name, total, at);
    totalOf.set(name, total);
    yield { now: at, state: cluster.state(), totalOf };
  }
  for (let next = cluster.nextEventAt(); next !== undefined; next = cluster.nextEventAt()) {
    cluster.advance(next);
    yield { now: next, state: cluster.state(), totalOf };
  }
}

function sumOf(state: ClusterState, name: string): number {
  return state.running.reduce((sum, { job }) => sum + (job.needs[name] ?? 0), 0);
}

function isSatisfiable(job: Job): boolean {
  return Object.values(job.needs).every((tokens) => tokens <= ceiling);
}

describe.each([{ backfill: true }, { backfill: false }])(
  'a reference cluster with backfill: $backfill',
  ({ backfill }) => {
    it('starts a job only where all its tokens fit within the totals, and counts exactly those of running jobs', () => {
      fc.assert(
        fc.property(jobs, totals, (submitted, changes) => {
          const cluster = new ReferenceCluster({ resources, backfill });
          let before = new Set<string>();
          for (const { state, totalOf } of run(cluster, submitted, changes)) {
            for (const name of names) expect(cluster.inUse(name)).toBe(sumOf(state, name));
            for (const { job } of state.running.filter(({ job }) => !before.has(job.id))) {
              const needed = names.filter((name) => (job.needs[name] ?? 0) > 0);
              for (const name of needed) expect(sumOf(state, name)).toBeLessThanOrEqual(totalOf.get(name) ?? 0);
            }
            before = new Set(state.running.map(({ job }) => job.id));
          }
        }),
      );
    });

    it('leaves no job waiting that may start', () => {
      fc.assert(
        fc.property(jobs, totals, (submitted, changes) => {
          const cluster = new ReferenceCluster({ resources, backfill });
          for (const { now, state, totalOf } of run(cluster, submitted, changes)) {
            const waiting = state.queued.filter((job) => job.submit <= now && isSatisfiable(job));
            for (const job of backfill ? waiting : waiting.slice(0, 1)) {
              const fits = Object.entries(job.needs).every(
                ([name, tokens]) => tokens === 0 || sumOf(state, name) + tokens <= (totalOf.get(name) ?? 0),
              );
              expect(fits).toBe(false);
            }
          }
        }),
      );
    });

    it('ends every job that can ever be satisfied once totals are at their ceilings, and keeps the others', () => {
      fc.assert(
        fc.property(jobs, totals, (submitted, changes) => {
          const cluster = new ReferenceCluster({ resources, backfill });
          const seen = Array.from(run(cluster, submitted, changes));
          const kept = submitted.filter((job) => !isSatisfiable(job)).map(({ id }) => id);
          expect(seen.at(-1)?.state.running).toEqual([]);
          expect(new Set(seen.at(-1)?.state.queued.map(({ id }) => id))).toEqual(new Set(kept));
          for (const { state } of seen) {
            const there = [...state.running.map(({ job }) => job.id), ...state.queued.map(({ id }) => id)];
            expect(new Set(there).size).toBe(there.length);
          }
        }),
      );
    });

    it('comes to the same when it is stopped and restored between any two events', () => {
      fc.assert(
        fc.property(jobs, fc.nat(30), (submitted, seconds) => {
          const at = start + seconds * second;
          const whole = new ReferenceCluster({ resources, backfill });
          whole.submit(submitted, start);
          whole.advance(at);
          const restored = new ReferenceCluster({ resources, backfill });
          restored.restore(structuredClone(whole.state()), at);
          for (let next = whole.nextEventAt(); next !== undefined; next = whole.nextEventAt()) {
            expect(restored.nextEventAt()).toBe(next);
            whole.advance(next);
            restored.advance(next);
            for (const name of names) expect(restored.inUse(name)).toBe(whole.inUse(name));
            expect(restored.waiting(next)).toEqual(whole.waiting(next));
          }
        }),
      );
    });
  },
);

describe('without backfill', () => {
  it('jobs that share a resource start in the order of their submit times', () => {
    fc.assert(
      fc.property(jobs, totals, (submitted, changes) => {
        const cluster = new ReferenceCluster({ resources, backfill: false });
        const startedAt = new Map<string, number>();
        for (const { now, state } of run(cluster, submitted, changes)) {
          for (const { job } of state.running) if (!startedAt.has(job.id)) startedAt.set(job.id, now);
        }
        for (const one of submitted) {
          for (const other of submitted) {
            const isShared = names.some((name) => (one.needs[name] ?? 0) > 0 && (other.needs[name] ?? 0) > 0);
            const [first, second] = [startedAt.get(one.id), startedAt.get(other.id)];
            if (!isShared || one.submit >= other.submit || first === undefined || second === undefined) continue;
            expect(first).toBeLessThanOrEqual(second);
          }
        }
      }),
    );
  });
});
