import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as fc from 'fast-check';
import type { TraceJob } from '../../shared/traces/job.ts';

export async function* linesOf(...lines: string[]): AsyncGenerator<string> {
  yield* lines;
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

export const utc = Date.parse;

const data = resolve(process.env.ESR_DATA ?? resolve(import.meta.dirname, '../../../shared/data'));

export function realLog(name: string): string {
  return resolve(data, 'flexnet-debug-logs', name);
}

/** The real logs are not part of the project: tests of them are skipped where they are missing, and their title says so. */
export const realLogsMissing = !['hfss-2017-01-08.log', 'hfss-2017-02-18.log'].every((name) =>
  existsSync(realLog(name)),
);
export const orSkipped = realLogsMissing ? ` (skipped: no flexnet-debug-logs in ${data}, set ESR_DATA)` : '';

const featureNames = fc.constantFrom('hfss_solve', 'hfsshpc', 'al4odb++', 'constructor', '12141');
const users = fc.constantFrom('user1@host1', 'user1@host1.2', 'user2', 'Some One@PC-7', 'a@', '@', 'u@h (5 licenses)');

/** Jobs in whole seconds, many of them at once and of the same few users. */
export const anyJobs: fc.Arbitrary<TraceJob[]> = fc
  .record({
    from: fc.integer({ min: 0, max: 4_000_000_000 }),
    spanSeconds: fc.constantFrom(10, 3_600, 86_400, 2_000_000),
  })
  .chain(({ from, spanSeconds }) =>
    fc.array(
      fc
        .record({
          after: fc.nat({ max: spanSeconds }),
          needs: fc.dictionary(featureNames, fc.integer({ min: 1, max: 500 }), { minKeys: 1 }),
          runSeconds: fc.nat({ max: spanSeconds }),
          user: fc.option(users),
        })
        .map(({ after, needs, runSeconds, user }) => ({
          submit: (from + after) * 1_000,
          needs: { ...needs },
          runSeconds,
          ...(user === null ? {} : { user }),
        })),
      { maxLength: 40 },
    ),
  );

/** Jobs without their users, in an order that does not depend on anything else. */
export function demand(jobs: readonly TraceJob[]): string[] {
  return jobs
    .map(({ submit, needs, runSeconds }) =>
      JSON.stringify([submit, Object.entries(needs).sort(([one], [other]) => (one < other ? -1 : 1)), runSeconds]),
    )
    .sort();
}
