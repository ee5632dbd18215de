/**
 * Which waiting jobs could start, and what they lack. Jobs are admitted in the scheduler's order against what is free,
 * coming or could be borrowed of every resource they need, so a job that one resource can't satisfy causes no borrowing
 * of the others.
 */
import type { Tokens, WaitingClass } from './model.ts';
import { count, duration, needsInWords } from './words.ts';

/** What one resource can give to waiting jobs. */
export interface Supply {
  /** Free now or coming; negative once jobs are admitted that borrowed tokens will serve. */
  available: Tokens;
  /** Could be borrowed on top. */
  readonly borrowable: Tokens;
  readonly borrowAfterSeconds: number;
  /** What keeps `borrowable` from being more, in words. */
  readonly limit: string;
  /** Why tokens are to be borrowed: the first class that lacks some. */
  cause?: string;
  /** Why a waiting class is not borrowed for. */
  note?: string;
}

/** How many jobs of a class could start. */
interface Startable {
  readonly withoutBorrowing: number;
  readonly withBorrowing: number;
  /** The resource that keeps `withBorrowing` from being all; of equals the first by name. */
  readonly scarcest?: string;
}

/** Admits what can be admitted; afterwards `-available` is what each resource has to borrow. Linear in classes × needs. */
export function admit(waiting: readonly WaitingClass[], supplies: ReadonlyMap<string, Supply>): void {
  for (const waitingClass of waiting) {
    const startable = startableJobs(waitingClass, supplies);
    const { withoutBorrowing, withBorrowing } = startable;
    const borrows = withBorrowing > withoutBorrowing;
    const patience = borrows ? patienceLeft(waitingClass, withBorrowing, supplies) : undefined;
    const admitted = patience === undefined ? withBorrowing : withoutBorrowing;
    take(waitingClass, admitted, admitted > withoutBorrowing, supplies);
    if (admitted < waitingClass.jobs) {
      noteRest(waitingClass, patience ?? scarcityInWords(startable, supplies), supplies);
    }
  }
}

function startableJobs({ jobs, needs }: WaitingClass, supplies: ReadonlyMap<string, Supply>): Startable {
  let withoutBorrowing = jobs;
  let withBorrowing = jobs;
  let scarcest: string | undefined;
  for (const [resource, need] of needed(needs)) {
    const { available, borrowable } = supplies.get(resource) ?? { available: 0, borrowable: 0 };
    withoutBorrowing = Math.min(withoutBorrowing, Math.floor(Math.max(0, available) / need));
    const possible = Math.floor(Math.max(0, available + borrowable) / need);
    const tie = possible === withBorrowing && scarcest !== undefined && resource < scarcest;
    if (possible < withBorrowing || tie) {
      withBorrowing = possible;
      scarcest = resource;
    }
  }
  return { withoutBorrowing, withBorrowing, ...(scarcest === undefined ? {} : { scarcest }) };
}

/** Why a class doesn't borrow yet: it has to wait as long as every resource that it would borrow asks for. */
function patienceLeft(
  { needs, waitingSeconds }: WaitingClass,
  jobs: number,
  supplies: ReadonlyMap<string, Supply>,
): string | undefined {
  let patience = 0;
  for (const [resource, need] of needed(needs)) {
    const supply = supplies.get(resource);
    if (supply === undefined || jobs * need <= supply.available) continue;
    patience = Math.max(patience, supply.borrowAfterSeconds);
  }
  return waitingSeconds < patience
    ? `it has waited ${duration(waitingSeconds)}, borrowing begins after ${duration(patience)}`
    : undefined;
}

/** Takes what `jobs` need from the supplies; where they borrow, the class is the cause of what is lacking. */
function take(waitingClass: WaitingClass, jobs: number, borrows: boolean, supplies: ReadonlyMap<string, Supply>): void {
  for (const [resource, need] of needed(waitingClass.needs)) {
    const supply = supplies.get(resource);
    if (supply === undefined) continue;
    supply.available -= jobs * need;
    if (borrows && supply.available < 0) supply.cause ??= waitedInWords(waitingClass);
  }
}

/** Says at each resource that the class needs why not all of its jobs can start. */
function noteRest(waitingClass: WaitingClass, why: string, supplies: ReadonlyMap<string, Supply>): void {
  for (const [resource] of needed(waitingClass.needs)) {
    const supply = supplies.get(resource);
    if (supply !== undefined) supply.note ??= `${inWords(waitingClass)} can't start: ${why}`;
  }
}

function scarcityInWords({ scarcest = '' }: Startable, supplies: ReadonlyMap<string, Supply>): string {
  return `${scarcest}: ${supplies.get(scarcest)?.limit ?? 'not a shared resource of this site'}`;
}

function needed(needs: WaitingClass['needs']): readonly (readonly [resource: string, need: Tokens])[] {
  return Object.entries(needs).filter(([, need]) => need > 0);
}

/** `1 job has waited 84 s for 1 hfss_solve + 32 hfsshpc`. */
function waitedInWords({ jobs, needs, waitingSeconds }: WaitingClass): string {
  const verb = jobs === 1 ? 'has waited' : 'have waited up to';
  return `${count(jobs, 'job')} ${verb} ${duration(waitingSeconds)} for ${needsInWords(needs)}`;
}

function inWords({ jobs, needs }: WaitingClass): string {
  return `${count(jobs, 'job')} for ${needsInWords(needs)}`;
}
