import type { Instant, Tokens } from '../../shared/domain/model.ts';
import type { WaitingJobs } from '../scheduler.ts';
import { holdsLicences } from './in-use.ts';
import { addTokens, type LicenceRequest } from './licence-request.ts';
import { usableTokens, type LicenceFigures } from './licences-text.ts';
import { verdictOf } from './reasons.ts';
import type { SlurmJob } from './squeue.ts';

/** What jobs are judged by. Licences go by their names in Slurm. */
export interface Surroundings {
  readonly now: Instant;
  /** Of the gateway: the most tokens that there can ever be of each. */
  readonly resources: ReadonlyMap<string, { readonly ceiling: Tokens }>;
  /** Of every licence that Slurm knows. */
  readonly figures: ReadonlyMap<string, LicenceFigures>;
  readonly idleCpus: ReadonlyMap<string, number>;
}

/** What starts as one: a job, a line of array tasks, or all components of a heterogeneous job. */
type Startable = readonly [SlurmJob, ...SlurmJob[]];

/**
 * The pending jobs that more tokens would start, in the order of Slurm's priorities (of equals the older job), with
 * needs by the licences' names in Slurm. Left out are jobs that
 * - ask for none of the gateway's licences, or for more of one than there can ever be;
 * - ask for too much of a licence that the gateway does not know;
 * - are held, deferred, dependent, over a limit, or in want of nodes (see reasons.ts);
 * - are tasks of an array beyond those that may run at once.
 *
 * A job waits from when it became eligible. How long it has lacked tokens, as against nodes, Slurm does not say.
 */
export function waitingJobs(jobs: readonly SlurmJob[], around: Surroundings): WaitingJobs[] {
  const startsLeft = arrayStartsLeft(jobs);
  const waiting: WaitingJobs[] = [];
  for (const startable of startablesInOrder(jobs.filter(({ state }) => state === 'PENDING'))) {
    const [{ id }] = startable;
    const way = wayToBorrowFor(startable, around);
    const waitingSince = eligibleSince(startable, around.now);
    if (way === undefined || waitingSince === undefined || !lacksOnlyTokens(startable, way, around)) continue;
    const left = startsLeft.get(id.number) ?? id.jobs;
    const count = Math.min(id.jobs, left);
    if (count <= 0) continue;
    if (startsLeft.has(id.number)) startsLeft.set(id.number, left - count);
    const needs = Object.fromEntries([...way].filter(([name]) => around.resources.has(name)));
    waiting.push({ id: String(id.number), jobs: count, needs, waitingSince });
  }
  return waiting;
}

/** Tasks that may begin beside those that run, of each array that has a limit: Slurm's reason does not tell. */
function arrayStartsLeft(jobs: readonly SlurmJob[]): Map<number, number> {
  const left = new Map<number, number>();
  for (const { id } of jobs) if (id.mostAtOnce !== undefined) left.set(id.number, id.mostAtOnce);
  for (const { id } of jobs.filter(holdsLicences)) {
    const most = left.get(id.number);
    if (most !== undefined) left.set(id.number, most - 1);
  }
  return left;
}

function startablesInOrder(pending: readonly SlurmJob[]): Startable[] {
  const single: Startable[] = [];
  const heterogeneous = new Map<number, [SlurmJob, ...SlurmJob[]]>();
  for (const job of pending) {
    const components = heterogeneous.get(job.id.number);
    if (job.id.part !== 'component') single.push([job]);
    else if (components === undefined) heterogeneous.set(job.id.number, [job]);
    else components.push(job);
  }
  const priorityOf = (startable: Startable) => Math.max(...startable.map(({ priority }) => priority));
  return [...single, ...heterogeneous.values()].sort(
    (a, b) => priorityOf(b) - priorityOf(a) || a[0].id.number - b[0].id.number,
  );
}

/**
 * The tokens to have for all of it. Where a job names alternatives it is the first that can be had, as Slurm tries
 * them in this order. `undefined`: none can, or it needs nothing of the gateway's.
 */
function wayToBorrowFor(startable: Startable, { resources, figures }: Surroundings) {
  return waysOf(startable).find(
    (way) =>
      [...way.keys()].some((name) => resources.has(name)) &&
      [...way].every(([name, tokens]) => tokens <= (resources.get(name)?.ceiling ?? usable(figures, name))),
  );
}

function waysOf(startable: Startable): LicenceRequest {
  return startable
    .map(({ licences }) => licences)
    .reduce((sums, ways) => sums.flatMap((sum) => ways.map((way) => sumOf(sum, way))));
}

function sumOf(...ways: ReadonlyMap<string, Tokens>[]): ReadonlyMap<string, Tokens> {
  const sum = new Map<string, Tokens>();
  for (const [name, tokens] of ways.flatMap((way) => [...way])) addTokens(sum, name, tokens);
  return sum;
}

function usable(figures: ReadonlyMap<string, LicenceFigures>, name: string): number {
  const licence = figures.get(name);
  return licence === undefined ? 0 : usableTokens(licence);
}

function eligibleSince(startable: Startable, now: Instant): Instant | undefined {
  const since = Math.max(...startable.map(({ eligibleAt }) => eligibleAt ?? Infinity));
  return since <= now ? since : undefined;
}

/**
 * Slurm's word where it has tested the tokens. Otherwise (an untested job; a heterogeneous one, whose components Slurm
 * tests each alone and never finds in want of licences) the job has to be short of tokens now, and the idle CPUs have to
 * be enough: backfill starts such jobs past one that waits for nodes as soon as they have tokens, but no job at all on a
 * full partition, where borrowed tokens would lie idle.
 */
function lacksOnlyTokens(
  startable: Startable,
  way: ReadonlyMap<string, Tokens>,
  { resources, figures, idleCpus }: Surroundings,
): boolean {
  const verdicts = startable.map(({ reason }) => verdictOf(reason));
  if (verdicts.includes('other')) return false;
  if (startable[0].id.part !== 'component') {
    if (verdicts.includes('tokens')) return true;
    if (verdicts.includes('nodes')) return false;
  }
  const short = [...way].some(([name, tokens]) => resources.has(name) && tokens > usable(figures, name));
  return (
    short && startable.every(({ cpus, partitions }) => partitions.some((name) => (idleCpus.get(name) ?? 0) >= cpus))
  );
}
