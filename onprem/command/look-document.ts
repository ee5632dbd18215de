import * as z from 'zod';
import { describeFaults, printable } from '../../shared/adapters/http/faults.ts';
import { expectation } from '../../shared/config/wording.ts';
import { seconds, tokens } from '../../shared/contracts/common.ts';
import { commandLine } from '../program-error.ts';
import { SchedulerError } from '../scheduler.ts';

/** What the look program prints, of these resources alone: it may show others, which are nobody's concern here. */
function lookDocument(names: readonly string[]) {
  const ofEach = <T extends z.ZodType>(schema: T) => z.object(Object.fromEntries(names.map((name) => [name, schema])));
  return z.object({
    resources: ofEach(z.object({ total: tokens, inUse: tokens })),
    waiting: z.array(
      z.object({
        id: z.string().min(1),
        jobs: z.int().min(1),
        needs: ofEach(z.int().min(1).exactOptional()),
        waitingSeconds: seconds,
      }),
    ),
  });
}
export type LookDocument = z.output<ReturnType<typeof lookDocument>>;

/**
 * Reads what the look program printed.
 * @throws SchedulerError names the program, each place that is not as it should be, and the mend.
 */
export function readLook(text: string, program: readonly string[], resources: readonly string[]): LookDocument {
  const fail = (what: string, cause: unknown) =>
    new SchedulerError(
      `reading what ${commandLine(program)} printed: ${what}; correct the program (docs/schedulers.md has the form)`,
      { cause },
    );
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw fail(text.trim() === '' ? 'it is empty' : `it is not JSON (${printable(String(cause))})`, cause);
  }
  const document = lookDocument(resources).safeParse(json, { error: expectation });
  if (document.success) return document.data;
  throw fail(describeFaults(document.error, json).join(', and '), document.error);
}
