/** Counts what a site asks of AWS, by running its own pass and push over it. */
import type { LoadedSite } from '../config/load.ts';
import type { ElasticPolicy, Instant } from '../domain/model.ts';
import type { PoolOffer } from '../pool/offer.ts';
import { drive } from '../simulation/drive.ts';
import type { TraceJob } from '../traces/job.ts';
import { startMeteredSite, type Counted, type MeteredSite, type Tallies } from './metered-site.ts';
import { minus, times, type Tally } from './tally.ts';

export interface Measured {
  /** An hour in which nothing happens. */
  readonly idle: Tallies;
  /** What one borrow and its return add to that. Absent: there is nothing to borrow for. */
  readonly borrow?: Tallies;
}

/** The borrow that was to be counted has not come to its end. */
export class NotReturned extends Error {
  override readonly name = 'NotReturned';
  readonly resource: string;

  constructor(resource: string, minutes: number) {
    super(
      `counting a borrow of ${resource}: its tokens were not back after ${minutes} minutes; see with esr simulate what the site file does with one waiting job`,
    );
    this.resource = resource;
  }
}

/** How long the job of a counted borrow runs. */
export const jobSeconds = 3_600;
/** Where the site file does not say on which terms a provider lends. */
const usualHoldSeconds = 3_600;
/** For the passes that lie between one step and the next. */
const slackMinutes = 15;
const minute = 60_000;
/** A tick may be left out while the state is made that is counted later; the lease outlasts this. */
const coarseTickSeconds = 180;

/**
 * Every elastic resource first borrows once, so that the items are as large as those of a site in use. Throws
 * `NotReturned` and `EngineError`.
 */
export async function measure(site: LoadedSite): Promise<Measured> {
  const lent = withLenders(site);
  const start = Date.UTC(2026, 0, 5);
  const metered = await startMeteredSite(lent, start);
  try {
    const { resources } = site.policy;
    const [first] = resources;
    const cycle = Math.max(0, ...resources.map((policy) => cycleMinutes(policy, lent)));
    let now = start;
    const pass = async (minutes: number, jobs: readonly TraceJob[] = [], tickSeconds = 60): Promise<Tallies> => {
      const before = metered.tallies();
      const from = now;
      now += minutes * minute;
      await drive(metered.world, { jobs, from, to: now - 1, tickSeconds, everyTick: true });
      await metered.world.settle();
      const after = metered.tallies();
      return each((name) => minus(after[name], before[name]));
    };
    await pass(slackMinutes);
    const jobs = resources.map((policy) => waitingJob(policy, now));
    await pass(cycle, jobs, coarseTickSeconds);
    for (const policy of resources) await checkReturned(metered, policy, cycle);
    const idle = await pass(60);
    if (first === undefined) return { idle };
    const minutes = cycleMinutes(first, lent);
    const during = await pass(minutes, [waitingJob(first, now)]);
    await checkReturned(metered, first, minutes);
    const atRest = each((name) => times(idle[name], minutes / 60));
    return { idle, borrow: each((name) => minus(during[name], atRest[name])) };
  } finally {
    await metered.close();
  }
}

/** The providers lend to all who name them, at no cost, so that no cap keeps a borrow from being counted. */
function withLenders(site: LoadedSite): LoadedSite {
  const offersOf = (provider: string, known: readonly PoolOffer[]): PoolOffer[] =>
    site.policy.resources
      .filter(({ providers }) => providers.includes(provider))
      .map(({ resource, maxBorrowed }) => ({
        block: 1,
        minimumHoldSeconds: usualHoldSeconds,
        partialReturns: true,
        ...known.find((offer) => offer.resource === resource),
        resource,
        capacity: maxBorrowed,
        costPerTokenHour: 0,
      }));
  const pools = site.pools.map(({ provider, offers }) => ({ provider, offers: offersOf(provider, offers) }));
  return { ...site, pools };
}

/** The longest that a job, the rules of the site and the provider's hold keep what was borrowed. */
function cycleMinutes({ resource, providers, ...rules }: ElasticPolicy, { pools }: LoadedSite): number {
  const holds = pools
    .filter(({ provider }) => providers.includes(provider))
    .flatMap(({ offers }) => offers.filter((offer) => offer.resource === resource))
    .map(({ minimumHoldSeconds }) => minimumHoldSeconds);
  const { borrowAfterSeconds, returnAfterSeconds, lingerSeconds } = rules;
  const kept = Math.max(jobSeconds + returnAfterSeconds, ...holds);
  return Math.ceil((borrowAfterSeconds + kept + lingerSeconds) / 60) + slackMinutes;
}

/** One job that needs one token more than the site owns. */
function waitingJob({ resource, owned }: ElasticPolicy, submit: Instant): TraceJob {
  return { submit, needs: { [resource]: owned + 1 }, runSeconds: jobSeconds };
}

async function checkReturned({ world, ledger }: MeteredSite, { resource, owned }: ElasticPolicy, minutes: number) {
  const { ledgers } = await ledger.read();
  const own = ledgers.find((each) => each.resource === resource);
  const isBack = world.controller.figures(resource).total === owned && own?.grants.length === 0;
  if (!isBack || world.controller.waiting().length > 0) throw new NotReturned(resource, minutes);
}

function each(tallyOf: (name: Counted) => Tally): Tallies {
  return { reconcile: tallyOf('reconcile'), 'push-total': tallyOf('push-total'), relay: tallyOf('relay') };
}
