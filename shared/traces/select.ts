import type { TraceJob } from './job.ts';

export interface Selection {
  readonly jobs: TraceJob[];
  /** Jobs that needed a resource which the site does not have, by that resource. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/**
 * The jobs as far as a site counts them: a trace of a licence server has features that the site does not share, and a
 * cluster that does not count them starts jobs without asking.
 */
export function selectResources(jobs: readonly TraceJob[], resources: ReadonlySet<string>): Selection {
  const leftOut = new Map<string, number>();
  const selected = jobs.flatMap((job) => {
    const known = Object.entries(job.needs).filter(([name]) => {
      if (!resources.has(name)) leftOut.set(name, (leftOut.get(name) ?? 0) + 1);
      return resources.has(name);
    });
    if (known.length === Object.keys(job.needs).length) return [job];
    return known.length === 0 ? [] : [{ ...job, needs: Object.fromEntries(known) }];
  });
  return { jobs: selected, leftOut };
}

export function describeLeftOut(leftOut: ReadonlyMap<string, number>): string {
  const parts = [...leftOut].map(([name, count]) => `${name} (${count})`);
  return `Not resources of this site, and left out of the jobs that need them: ${parts.join(', ')}`;
}
