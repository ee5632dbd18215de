/** Takes a trace through a site twice, with borrowing and with owned tokens alone, and sums up what each run came to. */
import { ReferenceController } from '../../onprem/controller.ts';
import type { ResourceStatistics } from '../../onprem/reference/resource-tokens.ts';
import type { LoadedSite } from '../config/load.ts';
import { costOf } from '../domain/spending.ts';
import type { GrantTerms, HistoryEntry, Instant, Tokens } from '../domain/model.ts';
import { confirmedTotals, type TotalStep } from '../status/totals.ts';
import type { TraceJob } from '../traces/job.ts';
import { drive } from './drive.ts';
import { Meter } from './meter.ts';
import { SimulatedSite } from './simulated-site.ts';

/** What the same jobs came to with borrowing and without. */
export interface SimulationResult {
  readonly site: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly runs: { readonly elastic: RunResult; readonly ownedOnly: RunResult };
}

/** What one run came to. */
export interface RunResult {
  readonly resources: Readonly<Record<string, ResourceResult>>;
}

/** Over the whole run. `cost` is in the currency of the offers. */
export interface ResourceResult {
  readonly owned: Tokens;
  readonly peakTotal: Tokens;
  readonly peakInUse: Tokens;
  /** Jobs that could not start when they were submitted. */
  readonly jobsWaited: number;
  readonly waitTokenHours: number;
  readonly grants: number;
  /** Token-hours by which the total was above what is owned, and those of them that jobs used. */
  readonly borrowedTokenHours: number;
  readonly usedBorrowedTokenHours: number;
  readonly cost: number;
  readonly totals: readonly TotalStep[];
}

/** What to simulate. `onProgress` is told the share that is done, from 0 to 1. */
export interface SimulationOptions {
  readonly site: LoadedSite;
  /** Sorted by `submit`. */
  readonly jobs: readonly TraceJob[];
  readonly onProgress?: (share: number) => void;
}

/** A provider's terms are not known, and a simulation asks nobody. */
export class OffersMissing extends Error {
  override readonly name = 'OffersMissing';
  readonly provider: string;

  constructor(provider: string) {
    super(`simulating: the provider ${provider} has no offers in the site file; add what it lends, and on which terms`);
    this.provider = provider;
  }
}

const minute = 60_000;

/**
 * Both runs last from the first job's minute to the end of the trace, so that their figures compare.
 * Throws `OffersMissing`.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { site } = options;
  const unknown = site.pools.find(({ offers }) => offers.length === 0);
  if (unknown !== undefined) throw new OffersMissing(unknown.provider);
  const { from, to } = horizon(options.jobs);
  const elastic = await simulateElastic(options, from, to);
  const ownedOnly = simulateOwnedOnly(options, from, to);
  return {
    site: site.policy.site,
    from,
    to,
    runs: { elastic: { resources: elastic }, ownedOnly: { resources: ownedOnly } },
  };
}

/** From the minute of the first submit to the minute after the last job would have ended had none waited. */
export function horizon(jobs: readonly TraceJob[]): { from: Instant; to: Instant } {
  const first = jobs[0]?.submit ?? 0;
  let end = first;
  for (const { submit, runSeconds } of jobs) end = Math.max(end, submit + runSeconds * 1000);
  return { from: Math.floor(first / minute) * minute, to: Math.ceil(end / minute) * minute };
}

async function simulateElastic(
  { site, jobs, onProgress }: SimulationOptions,
  from: Instant,
  to: Instant,
): Promise<Record<string, ResourceResult>> {
  const world = new SimulatedSite(site, from, { keepsPasses: false });
  const meters = new Map(
    site.controllerConfig.resources.map(({ name, owned }) => [name, { owned, meter: new Meter(from) }]),
  );
  const read = (): void => {
    for (const [name, { owned, meter }] of meters)
      meter.read(world.clock.now(), { owned, ...world.controller.figures(name) });
  };
  await drive(world, {
    jobs,
    from,
    to,
    tickSeconds: 60,
    afterStep: read,
    ...(onProgress && { onProgress: (now) => onProgress((now - from) / (to - from || 1)) }),
  });
  const statistics = world.controller.finish(to);
  const results: Record<string, ResourceResult> = {};
  for (const [name, { owned, meter }] of meters) {
    const history: HistoryEntry[] = [];
    for await (const entry of world.store.history(name)) history.push(entry);
    const totals = await confirmedTotals(history);
    results[name] = {
      ...summary(owned, statistics.get(name)),
      peakTotal: Math.max(owned, meter.peakTotal),
      ...lending(history, to),
      borrowedTokenHours: meter.borrowedTokenHours,
      usedBorrowedTokenHours: meter.usedTokenHours,
      totals: totals.length > 0 ? totals : [[from, owned, 0, owned]],
    };
  }
  return results;
}

function simulateOwnedOnly(
  { site, jobs }: SimulationOptions,
  from: Instant,
  to: Instant,
): Record<string, ResourceResult> {
  // The same jobs can be had as in the elastic run, so that the same ones count as waiting.
  const controller = new ReferenceController({ config: site.controllerConfig, now: from });
  controller.submit(
    jobs.map((job, index) => ({ ...job, id: `job-${index}` })),
    from,
  );
  const statistics = controller.finish(to);
  return Object.fromEntries(
    site.controllerConfig.resources.map(({ name, owned }) => [
      name,
      {
        ...summary(owned, statistics.get(name)),
        peakTotal: owned,
        grants: 0,
        cost: 0,
        borrowedTokenHours: 0,
        usedBorrowedTokenHours: 0,
        totals: [[from, owned, 0, owned] as const],
      },
    ]),
  );
}

function summary(owned: Tokens, statistics: ResourceStatistics | undefined) {
  const { peakInUse = 0, jobsWaited = 0, waitTokenSeconds = 0 } = statistics ?? {};
  return { owned, peakInUse, jobsWaited, waitTokenHours: waitTokenSeconds / 3600 };
}

/** Number of grants, and what they cost from being granted to being returned, or to the end. */
function lending(history: readonly HistoryEntry[], to: Instant): { grants: number; cost: number } {
  let grants = 0;
  let cost = 0;
  const termsOf = new Map<string, GrantTerms>();
  for (const { at, changes } of history) {
    for (const change of changes) {
      if (change.kind === 'granted') {
        grants += 1;
        cost += costOf(change.terms, change.tokens, to - change.receivedAt);
        termsOf.set(change.grant, change.terms);
      } else if (change.kind === 'returned') {
        const terms = termsOf.get(change.grant);
        if (terms !== undefined) cost -= costOf(terms, change.tokens, to - at);
      }
    }
  }
  return { grants, cost };
}
