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

/** Admits what can be admitted; afterwards `-available` is what each resource has to borrow. Linear in classes × needs. */
export function admit(waiting: readonly WaitingClass[], supplies: ReadonlyMap<string, Supply>): void {
  for (const waitingClass of waiting) admitClass(waitingClass, supplies);
}

function admitClass(waitingClass: WaitingClass, supplies: ReadonlyMap<string, Supply>): void {
  const { jobs, needs } = waitingClass;
  let fromAvailable = jobs;
  let withBorrowing = jobs;
  let scarcest: string | undefined;
  for (const resource in needs) {
    const need = needs[resource] ?? 0;
    if (need === 0) continue;
    const supply = supplies.get(resource);
    const available = Math.max(0, supply?.available ?? 0);
    const possible = Math.floor(Math.max(0, (supply?.available ?? 0) + (supply?.borrowable ?? 0)) / need);
    fromAvailable = Math.min(fromAvailable, Math.floor(available / need));
    if (
      possible < withBorrowing ||
      (possible === withBorrowing && possible < jobs && resource < (scarcest ?? resource))
    ) {
      withBorrowing = possible;
      scarcest = resource;
    }
  }
  const patient = fromAvailable < withBorrowing ? stillPatient(waitingClass, withBorrowing, supplies) : undefined;
  const admitted = patient === undefined ? withBorrowing : fromAvailable;
  for (const resource in needs) {
    const supply = supplies.get(resource);
    if (supply === undefined) continue;
    supply.available -= admitted * (needs[resource] ?? 0);
    if (supply.available < 0 && admitted > fromAvailable && (needs[resource] ?? 0) > 0) {
      supply.cause ??= waitedInWords(waitingClass);
    }
  }
  if (admitted === jobs) return;
  const why =
    patient ?? `${scarcest ?? ''}: ${supplies.get(scarcest ?? '')?.limit ?? 'not a shared resource of this site'}`;
  for (const resource in needs) {
    const supply = supplies.get(resource);
    if (supply !== undefined && (needs[resource] ?? 0) > 0)
      supply.note ??= `${inWords(waitingClass)} can't start: ${why}`;
  }
}

/** A class borrows only after it has waited as long as every resource that it would borrow asks for. */
function stillPatient(
  { needs, waitingSeconds }: WaitingClass,
  jobs: number,
  supplies: ReadonlyMap<string, Supply>,
): string | undefined {
  let patience = 0;
  for (const resource in needs) {
    const supply = supplies.get(resource);
    if (supply === undefined || jobs * (needs[resource] ?? 0) <= supply.available) continue;
    patience = Math.max(patience, supply.borrowAfterSeconds);
  }
  return waitingSeconds < patience
    ? `it has waited ${duration(waitingSeconds)}, borrowing begins after ${duration(patience)}`
    : undefined;
}

/** `1 job has waited 84 s for 1 hfss_solve + 32 hfsshpc`. */
function waitedInWords({ jobs, needs, waitingSeconds }: WaitingClass): string {
  const verb = jobs === 1 ? 'has waited' : 'have waited up to';
  return `${count(jobs, 'job')} ${verb} ${duration(waitingSeconds)} for ${needsInWords(needs)}`;
}

function inWords({ jobs, needs }: WaitingClass): string {
  return `${count(jobs, 'job')} for ${needsInWords(needs)}`;
}
