import { describe, expect, it } from 'vitest';
import { UnknownResourceError } from '../../../onprem/errors.ts';
import { ReferenceCluster } from '../../../onprem/reference/cluster.ts';
import type { Job } from '../../../onprem/reference/job.ts';
import { configOf, job, minute, second, start } from '../support.ts';

/** Each resource owns 10 tokens and can have 30. */
function newCluster(options: { backfill?: boolean } = {}): ReferenceCluster {
  return new ReferenceCluster({ ...configOf('solve', 'hpc'), ...options });
}

function submitAll(cluster: ReferenceCluster, ...jobs: Job[]): void {
  cluster.submit(jobs, start);
}

function running(cluster: ReferenceCluster): string[] {
  return cluster
    .state()
    .running.map(({ job }) => job.id)
    .sort();
}

describe('the reference cluster', () => {
  it('starts a job with all its tokens, and frees them at its end', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { solve: 1, hpc: 8 }, { runSeconds: 60 }));
    expect([cluster.inUse('solve'), cluster.inUse('hpc')]).toEqual([1, 8]);

    cluster.advance(start + minute);
    expect([cluster.inUse('solve'), cluster.inUse('hpc')]).toEqual([0, 0]);
  });

  it('lets a job wait without any token when one of its resources is short', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { hpc: 8 }), job('b', { solve: 1, hpc: 8 }));

    expect(cluster.inUse('solve')).toBe(0);
    expect(cluster.waiting(start)).toEqual([{ jobs: 1, needs: { solve: 1, hpc: 8 }, waitingSeconds: 0 }]);
  });

  it('reports jobs with the same needs as one class, in the order of the first job of each', () => {
    const cluster = newCluster();
    const needs = { solve: 1, hpc: 9 };
    submitAll(cluster, job('a', { hpc: 10 }));
    submitAll(cluster, job('b', { hpc: 5 }, { submit: start + 10 * second }));
    submitAll(cluster, job('c', needs, { submit: start + 5 * second }));
    submitAll(cluster, job('d', { hpc: 9, solve: 1 }, { submit: start + 20 * second }));
    cluster.advance(start + minute);

    expect(cluster.waiting(start + minute)).toEqual([
      { jobs: 2, needs, waitingSeconds: 55 },
      { jobs: 1, needs: { hpc: 5 }, waitingSeconds: 50 },
    ]);
  });

  it('starts waiting jobs in the order of their submit times, however they arrived', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { hpc: 10 }, { runSeconds: 60 }));
    cluster.advance(start + 30 * second);
    cluster.submit([job('late', { hpc: 6 }, { submit: start + 20 * second })], start + 30 * second);
    cluster.submit([job('early', { hpc: 6 }, { submit: start + 10 * second })], start + 30 * second);
    cluster.advance(start + minute);

    expect(running(cluster)).toEqual(['early']);
  });

  it('starts the earliest of several that arrive together, whatever their order in the list', () => {
    const cluster = newCluster();
    const late = job('late', { hpc: 6 }, { submit: start + 20 * second });
    cluster.submit([late, job('early', { hpc: 6 }, { submit: start + 10 * second })], start + 30 * second);

    expect(running(cluster)).toEqual(['early']);
  });

  it('lets a job that fits pass one that does not', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { hpc: 6 }), job('large', { hpc: 6 }), job('small', { hpc: 3 }));

    expect(running(cluster)).toEqual(['a', 'small']);
  });

  it('holds later jobs back on the resources of one that does not fit, without backfill', () => {
    const cluster = newCluster({ backfill: false });
    submitAll(cluster, job('a', { hpc: 6 }), job('large', { hpc: 6 }), job('small', { hpc: 3 }));
    submitAll(cluster, job('elsewhere', { solve: 3 }));
    expect(running(cluster)).toEqual(['a', 'elsewhere']);

    cluster.setTotal('hpc', 12, start);
    expect(running(cluster)).toEqual(['a', 'elsewhere', 'large']);
  });

  it('starts at once what a higher total lets start', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { hpc: 10 }), job('b', { hpc: 5 }), job('c', { hpc: 5 }));
    cluster.setTotal('hpc', 15, start);

    expect(running(cluster)).toEqual(['a', 'b']);
  });

  it('ends no job for a lower total, and starts none until use has fallen below it', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { hpc: 4 }, { runSeconds: 60 }), job('b', { hpc: 4 }, { runSeconds: 120 }));
    cluster.setTotal('hpc', 6, start);
    submitAll(cluster, job('c', { hpc: 3 }));
    expect(cluster.inUse('hpc')).toBe(8);

    cluster.advance(start + minute);
    expect(running(cluster)).toEqual(['b']);
    cluster.advance(start + 2 * minute);
    expect(running(cluster)).toEqual(['c']);
  });

  it('does what is due at one instant together: ends first, then starts by order', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { hpc: 5 }, { runSeconds: 60 }), job('b', { hpc: 5 }, { runSeconds: 60 }));
    submitAll(cluster, job('large', { hpc: 10 }), job('small', { hpc: 5 }));
    cluster.advance(start + minute);

    expect(running(cluster)).toEqual(['large']);
  });

  it('applies a new total before what else is due at that instant, and after all that was due before', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { hpc: 10 }, { runSeconds: 60 }), job('b', { hpc: 8 }, { runSeconds: 60 }));
    submitAll(cluster, job('c', { hpc: 8 }));
    cluster.setTotal('hpc', 6, start + 2 * minute);

    expect(cluster.inUse('hpc')).toBe(0);
    expect(cluster.waiting(start + 2 * minute)).toMatchObject([{ jobs: 1, waitingSeconds: 120 }]);
  });

  it('keeps a job for its submit time', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { hpc: 1 }, { submit: start + minute, runSeconds: 60 }));
    expect(cluster.nextEventAt()).toBe(start + minute);

    cluster.advance(start + minute);
    expect(running(cluster)).toEqual(['a']);
    expect(cluster.nextEventAt()).toBe(start + 2 * minute);

    cluster.advance(start + 2 * minute);
    expect(cluster.nextEventAt()).toBeUndefined();
  });

  it('knows which jobs it has', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { hpc: 10 }, { runSeconds: 60 }), job('b', { hpc: 1 }), job('c', { hpc: 99 }));
    expect(['a', 'b', 'c', 'd'].map((id) => cluster.has(id))).toEqual([true, true, true, false]);

    cluster.advance(start + minute);
    expect(cluster.has('a')).toBe(false);
  });

  it('refuses a job that names a resource which it does not have', () => {
    const cluster = newCluster();

    expect(() => cluster.submit([job('a', { vcs: 1 })], start)).toThrow(UnknownResourceError);
    expect(cluster.has('a')).toBe(false);
  });

  it('counts the jobs that could not start when they arrived', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { hpc: 10 }, { runSeconds: 60 }));
    expect(cluster.waitsBegun).toBe(0);

    submitAll(cluster, job('b', { hpc: 1 }), job('c', { hpc: 1 }, { submit: start + 2 * minute }));
    expect(cluster.waitsBegun).toBe(1);

    cluster.advance(start + 3 * minute);
    expect(cluster.waitsBegun).toBe(1);
  });
});

describe('a job that needs more than the ceiling', () => {
  it('is listed as unsatisfiable, and neither waits nor holds anything back', () => {
    const cluster = newCluster({ backfill: false });
    submitAll(cluster, job('huge', { hpc: 31 }), job('a', { hpc: 1 }));

    expect(cluster.unsatisfiable().map(({ id }) => id)).toEqual(['huge']);
    expect(cluster.waiting(start)).toEqual([]);
    expect(running(cluster)).toEqual(['a']);
  });

  it('waits again when the cluster is restarted with a higher ceiling', () => {
    const cluster = newCluster();
    submitAll(cluster, job('huge', { hpc: 31 }));
    const { resources } = configOf('solve', 'hpc');
    const next = new ReferenceCluster({ resources: resources.map((resource) => ({ ...resource, ceiling: 40 })) });
    next.restore(cluster.state(), start);

    expect(next.unsatisfiable()).toEqual([]);
    expect(next.waiting(start)).toMatchObject([{ jobs: 1, needs: { hpc: 31 } }]);
  });
});

describe('the statistics', () => {
  it('sum up waits by resource, those of jobs that still wait up to the end', () => {
    const cluster = newCluster();
    submitAll(cluster, job('a', { solve: 1, hpc: 10 }, { runSeconds: 60 }));
    submitAll(cluster, job('b', { hpc: 4 }), job('c', { solve: 2, hpc: 10 }));

    expect(cluster.finish(start + 2 * minute)).toEqual(
      new Map([
        ['solve', { jobsWaited: 1, waitTokenSeconds: 2 * 120, peakInUse: 1 }],
        ['hpc', { jobsWaited: 2, waitTokenSeconds: 4 * 60 + 10 * 120, peakInUse: 10 }],
      ]),
    );
  });
});
