import { InvalidArgumentError, type Command } from 'commander';
import type * as z from 'zod';
import { validate } from '../../shared/adapters/http/client.ts';
import { totals as resourceTotals } from '../../shared/contracts/status-history.ts';
import { resourceList } from '../../shared/contracts/status.ts';
import { totalsCsv, type TotalStep } from '../../shared/status/totals.ts';

interface TotalsOptions {
  readonly url: string;
  readonly from?: string;
  readonly to?: string;
}

/** Adds `totals`. */
export function registerTotals(program: Command): void {
  program
    .command('totals')
    .description('export the totals of a running site over time, as CSV that a scheduler simulator can read')
    .option('--url <url>', 'of the status API', 'http://127.0.0.1:8480')
    .option('--from <time>', 'leave out what ended before (RFC 3339)', time)
    .option('--to <time>', 'leave out what began after (RFC 3339)', time)
    .action(run);
}

async function run({ url, from, to }: TotalsOptions): Promise<void> {
  const query = new URLSearchParams({ ...(from && { from }), ...(to && { to }) });
  const { resources } = await get(resourceList, `${url}/v1/resources`);
  const totals = new Map<string, TotalStep[]>();
  for (const { name } of resources.filter(({ elastic }) => elastic)) {
    const { steps } = await get(
      resourceTotals,
      `${url}/v1/resources/${encodeURIComponent(name)}/totals?${query.toString()}`,
    );
    totals.set(
      name,
      steps.map(([at, ...numbers]) => [Date.parse(at), ...numbers]),
    );
  }
  process.stdout.write(totalsCsv(totals));
}

async function get<T>(schema: z.ZodType<T>, url: string): Promise<T> {
  const answer = await fetch(url).catch((error: unknown) => {
    throw new Error(`reading ${url}: no answer (${reasonOf(error)}); is the site running, and is --url right?`);
  });
  if (!answer.ok) throw new Error(`reading ${url}: answered ${answer.status} ${await answer.text()}`);
  return validate(schema, await answer.json(), `the answer of ${url}`);
}

/** `fetch` says only "fetch failed"; what failed is its cause. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
}

function time(text: string): string {
  if (Number.isNaN(Date.parse(text))) throw new InvalidArgumentError('Give a time like 2026-01-05T09:30:00Z.');
  return new Date(text).toISOString();
}
