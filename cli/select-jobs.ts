import type { LoadedSite } from '../shared/config/load.ts';
import type { TraceJob } from '../shared/traces/job.ts';
import type { Trace } from '../shared/traces/open.ts';
import { describeLeftOut, selectResources } from '../shared/traces/select.ts';

/** A trace has nothing to do with the site that it is given to. */
export class NoJobs extends Error {
  override readonly name = 'NoJobs';

  constructor(site: string) {
    super(
      `selecting jobs for ${site}: none of the trace needs a resource that the site has; give another trace or site`,
    );
  }
}

/** The jobs as far as the site counts what they need; what is left out is said on standard error. Throws `NoJobs`. */
export function selectJobs({ controllerConfig }: LoadedSite, trace: Trace): readonly TraceJob[] {
  const { site, resources } = controllerConfig;
  const { jobs, leftOut } = selectResources(trace.jobs, new Set(resources.map(({ name }) => name)));
  if (leftOut.size > 0) process.stderr.write(`${describeLeftOut(leftOut)}\n`);
  if (jobs.length === 0) throw new NoJobs(site);
  return jobs;
}
