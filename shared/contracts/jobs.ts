/**
 * How the reference controller is given jobs: POST /v1/jobs. No part of the controller contract, as a scheduler has its
 * own way of taking jobs.
 */
import * as z from 'zod';
import { identifier, isoTime, resourceName, seconds, tokens } from './common.ts';

/** Most jobs in one call. */
const maxJobs = 10_000;

/** All of the jobs are submitted or none; those that the cluster has by their id already are passed over. */
export const jobRequests = z
  .array(
    z.strictObject({
      id: identifier,
      submit: isoTime.optional().describe('Absent: now'),
      needs: z.record(resourceName, tokens),
      runSeconds: seconds,
      user: z.string().min(1).max(256).optional(),
    }),
  )
  .max(maxJobs);

export const jobsAnswer = z.object({
  submitted: z.int().min(0),
  unsatisfiable: z.array(identifier).describe('Submitted jobs that need more than a resource’s ceiling'),
});
export type JobsAnswer = z.infer<typeof jobsAnswer>;
