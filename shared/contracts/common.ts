import * as z from 'zod';

/** Names go into URLs, table keys and log lines, so they hold no separators, spaces or control characters. */
export const resourceName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.:@+-]{0,127}$/,
    'a name of 1 to 128 letters, digits and _ . : @ + -, beginning with a letter or digit',
  )
  .describe('Name of a shared resource, such as hfsshpc or vcs_runtime@flex1');

export const siteName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    'a name of 1 to 64 letters, digits, _ and -, beginning with a letter or digit',
  )
  .describe('Name of a site: one cluster with its controller');

export const identifier = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.:@+-]{0,255}$/,
    'an id of 1 to 256 letters, digits and _ . : @ + -, beginning with a letter or digit',
  );

/** Far above any licence pool, far below what a controller's 32-bit counters wrap at. */
export const maxTokens = 10_000_000;
export const tokens = z.int().min(0).max(maxTokens).describe('Licence tokens');
export const positiveTokens = z.int().min(1).max(maxTokens).describe('Licence tokens, at least one');
export const counter = z.int().min(0);
/** Ten years: longer than any hold, lease or wait that means something. */
export const maxSeconds = 10 * 366 * 86_400;
export const seconds = z.number().min(0).max(maxSeconds).describe('Seconds');
export const isoTime = z.iso.datetime({ offset: true }).describe('Time as in RFC 3339');

/** Where a call's token travels when a platform in front of the receiver has `authorization` for a signature of its own. */
export const callTokenHeader = 'esr-authorization';

/** The one form of every refusal and failure (RFC 9457). */
export const problem = z.object({
  type: z.string().describe('What kind of problem: a stable word such as below-in-use, or about:blank'),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().optional().describe('What was wrong and how to mend it'),
});
export type Problem = z.infer<typeof problem>;
