import * as z from 'zod';
import { duration } from '../../shared/config/duration.ts';

const program = z.tuple([z.string({ error: 'a program' }).min(1, 'a program')], z.string(), {
  error: 'a list of a program and its arguments, such as [/opt/esr/look]',
});

/** A scheduler that is reached through programs of the site's own. docs/schedulers.md says what they must do. */
export const commandSettings = z.strictObject({
  kind: z.literal('command'),
  look: program.describe('Program, and its arguments, that prints the resources and the waiting jobs as JSON'),
  setTotal: program.describe('Program that sets a total; the resource and the total are added to its arguments'),
  settle: z
    .union([duration({ most: '1h' }), program], {
      error: 'a duration such as 15s, or a list of a program and its arguments',
    })
    .describe(
      'How long jobs may still start on what was decided before a change; or a program that ends once none can any more',
    ),
  uncertainFor: duration({ most: '1h' })
    .default('1m')
    .describe('How long after its start setTotal may still take effect, whatever became of the gateway'),
  programTimeout: duration({ least: '1s', most: '10m' }).default('10s').describe('How long a program may run'),
});
export type CommandSettings = z.output<typeof commandSettings>;
