import type { HttpClient } from '../adapters/http/client.ts';
import { problem } from '../contracts/common.ts';
import type { TraceJob } from '../traces/job.ts';

/** The controller took none of the jobs. */
export class JobsNotTaken extends Error {
  override readonly name = 'JobsNotTaken';
  readonly status: number;

  constructor(jobs: number, status: number, detail = 'its log says why') {
    super(`submitting ${jobs} jobs: the controller answered ${status}; ${detail}`);
    this.status = status;
  }
}

/**
 * Jobs of a trace get their place in it, counted from `first`, as their id, so that a repeated submit is passed over.
 * Throws `JobsNotTaken`, `HttpError`.
 */
export async function submitJobs(
  worker: HttpClient,
  controllerUrl: string,
  jobs: readonly TraceJob[],
  first: number,
): Promise<void> {
  const json = jobs.map(({ submit, ...job }, index) => ({
    id: `job-${first + index}`,
    submit: new Date(submit).toISOString(),
    ...job,
  }));
  const { status, body } = await worker.request({ method: 'POST', url: `${controllerUrl}/v1/jobs`, json });
  if (status >= 300) throw new JobsNotTaken(jobs.length, status, problem.safeParse(body).data?.detail);
}
