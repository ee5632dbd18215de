/** Where the search begins: small sites, each in a state in which the next passes have much to lose. */
import { assembleSite, type LoadedSite } from '../../shared/config/load.ts';
import { noAnswer } from '../../shared/simulation/faults.ts';
import type { Around } from '../../shared/simulation/port-calls.ts';
import { WatchedSite } from './watched-site.ts';

export interface StartState {
  readonly name: string;
  /** What is so, in words. */
  readonly story: string;
  readonly site: LoadedSite;
  /** Brings a new site into the state, without a fault that is not part of it. */
  readonly arrive: (site: WatchedSite) => Promise<void>;
}

/** A new site in the start state. */
export async function standAt({ site, arrive }: StartState): Promise<WatchedSite> {
  const watched = await WatchedSite.of(site);
  await arrive(watched);
  return watched;
}

/** Each lends one grant of one block. */
const lenders = ['burst', 'vendor'];
const offer = { capacity: 2, block: 2, minimumHold: '0s', partialReturns: true, costPerTokenHour: 1 };
const elastic = { maxBorrowed: 4, borrowAfter: '0s', returnAfter: '1m', linger: '0s' };

/** `strays`: what `vendor` lends beside. */
function siteOf(resources: Record<string, { providers: string[]; offers: object }>, strays: object = {}): LoadedSite {
  return assembleSite({
    site: 'lab',
    providers: lenders.map((name) => ({
      name,
      kind: 'pool',
      offers: {
        ...Object.fromEntries(
          Object.entries(resources).flatMap(([resource, { providers, offers }]) =>
            providers.includes(name) ? [[resource, { ...offer, ...offers }]] : [],
          ),
        ),
        ...(name === 'vendor' ? strays : {}),
      },
    })),
    resources: Object.fromEntries(
      Object.entries(resources).map(([resource, { providers }]) => [
        resource,
        { shared: true, total: 2, elastic: { ...elastic, providers } },
      ]),
    ),
  });
}

/** Two grants of one resource, one of each lender. */
const twoGrants = (offers: object = {}): LoadedSite => siteOf({ hpc: { providers: lenders, offers } });
/** One grant of each of two resources. */
const twoResources = siteOf({
  hpc: { providers: ['burst'], offers: {} },
  solve: { providers: ['vendor'], offers: {} },
});

/** Both grants are lent, counted and in use. */
async function borrowBoth(site: WatchedSite, runMinutes: number): Promise<void> {
  await site.submit({ hpc: 6 }, runMinutes);
  await site.minutes(2);
}

/** Nothing has been needed for longer than `returnAfter`. */
async function leaveBothIdle(site: WatchedSite): Promise<void> {
  await borrowBoth(site, 2);
  await site.idleMinutes(5);
}

/** The lender lends, and nobody hears of it. */
const vendorUnheard: Around = async (call, effect) => {
  const answer = await effect();
  return call.method === 'request' && call.provider === 'vendor' ? noAnswer(call) : answer;
};

/** One grant is counted; the other is lent, but the answer was lost; one job runs and the other waits. */
async function borrowWithoutAnswer(site: WatchedSite): Promise<void> {
  await site.submit({ hpc: 2 }, 3);
  await site.submit({ hpc: 4 }, 3);
  await site.idleMinutes(1);
  await site.pass(vendorUnheard);
  await site.push();
}

export const startStates: readonly StartState[] = [
  {
    name: 'borrow',
    story: 'a job waits for all that can be borrowed, and nothing has been recorded yet',
    site: twoGrants(),
    arrive: (site) => site.submit({ hpc: 6 }, 3),
  },
  {
    name: 'unanswered',
    story: 'of two grants one is counted, and one is lent without the ledger knowing of it; a job waits',
    site: twoGrants(),
    arrive: borrowWithoutAnswer,
  },
  {
    name: 'unwanted',
    story: 'the same, and no job waits any more',
    site: twoGrants(),
    arrive: async (site) => {
      await borrowWithoutAnswer(site);
      await site.idleMinutes(8);
    },
  },
  {
    name: 'idle',
    story: 'two grants are active and due for return',
    site: twoGrants(),
    arrive: leaveBothIdle,
  },
  {
    name: 'returning',
    story: 'the controller has confirmed a total without the two grants, and the providers are not told yet',
    site: twoGrants(),
    arrive: async (site) => {
      await leaveBothIdle(site);
      await site.pass();
      await site.push();
    },
  },
  {
    name: 'used-again',
    story: 'two grants are withdrawn, the total is not pushed yet, and a job has taken their tokens',
    site: twoGrants(),
    arrive: async (site) => {
      await leaveBothIdle(site);
      await site.pass();
      await site.submit({ hpc: 6 }, 3);
    },
  },
  {
    name: 'recalled',
    story: 'two grants are idle, not yet for long, and one of them is recalled',
    site: twoGrants(),
    arrive: async (site) => {
      await borrowBoth(site, 2);
      await site.idleMinutes(1);
      const { lent } = await site.watch.look();
      for (const { id } of lent.slice(0, 1)) await site.simulated.pools.get('burst')?.recall(id, 300);
    },
  },
  {
    name: 'renewal',
    story: 'two grants with a lease are in use, and half of it has passed',
    site: twoGrants({ lease: '30m' }),
    arrive: async (site) => {
      await borrowBoth(site, 20);
      await site.idleMinutes(15);
    },
  },
  {
    name: 'stray',
    story: 'a provider lends what is not elastic at this site, and jobs wait',
    site: siteOf({ hpc: { providers: lenders, offers: {} } }, { solve: offer }),
    arrive: async (site) => {
      await site.simulated.pools.get('vendor')?.request('lab', 'stray', { resource: 'solve', tokens: 2 });
      // Nothing holds it until the first pass that comes to its end.
      site.watch.words.missingUntil = site.now + 3 * 60_000;
      await site.submit({ hpc: 6 }, 3);
    },
  },
  {
    name: 'two-resources',
    story: 'a job waits for one grant of each of two resources; the last ones have gone back',
    site: twoResources,
    arrive: async (site) => {
      await site.submit({ hpc: 4, solve: 4 }, 1);
      await site.minutes(8);
      await site.submit({ hpc: 4, solve: 4 }, 3);
    },
  },
  {
    name: 'two-resources-idle',
    story: 'one grant of each of two resources is active and due for return',
    site: twoResources,
    arrive: async (site) => {
      await site.submit({ hpc: 4, solve: 4 }, 2);
      await site.minutes(2);
      await site.idleMinutes(5);
    },
  },
];
