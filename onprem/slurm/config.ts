import * as z from 'zod';
import { duration } from '../../shared/config/duration.ts';
import { resourceName } from '../../shared/contracts/common.ts';

const licence = z
  .string()
  .regex(/^[^\s:;,|@]+(@[^\s:;,|@]+)?$/, 'a licence as Slurm names it, such as vcs_runtime@flex1');

const absolutePath = z.string().startsWith('/', 'an absolute path');

/** A Slurm cluster. docs/slurm.md says how to set it up. */
export const slurmSettings = z.strictObject({
  kind: z.literal('slurm'),
  licences: z
    .record(resourceName, licence)
    .default({})
    .describe('What Slurm calls a resource, FEATURE@SERVER or FEATURE; left out, it has the name of the resource'),
  totals: z
    .enum(['count', 'hold'])
    .default('count')
    .describe(
      'How a total is set: as the count of a remote licence in slurmdbd; or the count stays, and a reservation holds what is not to be used',
    ),
  configuration: absolutePath
    .exactOptional()
    .describe("Path of slurm.conf; left out, Slurm's programs find it by themselves"),
  programs: absolutePath
    .exactOptional()
    .describe("Directory of Slurm's programs; left out, they are looked up in PATH"),
  commandTimeout: duration({ least: '1s', most: '2m' })
    .default('15s')
    .describe("How long one of Slurm's programs may take"),
});
export type SlurmSettings = z.output<typeof slurmSettings>;
