import { startLockstep, type LockstepWorld } from '../shared/local/lockstep.ts';
import { exactly, type Benchmark, type Row } from './benchmark.ts';
import { generatedSite, resourceNames } from './generated-site.ts';
import { withDirectory } from './places.ts';
import { countRequests, watchRequests, type Counts } from './requests.ts';

const start = Date.UTC(2026, 0, 5, 8);
const minute = 60_000;
const settlingMinutes = 5;
/** More than the minimum hold, the time unused and the linger of the site together. */
const longestReturnMinutes = 30;

/** Requests in an idle minute, and those that a borrow and a return add to it: the real functions on the local engine. */
export const idle: Benchmark = {
  name: 'idle',
  async run() {
    const rows: Row[] = [];
    for (const resources of [1, 10, 100]) rows.push(...(await ofSite(resources)));
    return rows;
  },
};

async function ofSite(resources: number): Promise<Row[]> {
  const names = resourceNames(resources);
  const site = await generatedSite({ resources: names });
  return withDirectory(async (directory) => {
    const world = await startLockstep({ site, directory, start, log: silent });
    const watch = watchRequests();
    let now = start;
    const during = async (work: () => Promise<void>): Promise<Counts> => {
      watch.requests.length = 0;
      await work();
      return countRequests(watch.requests);
    };
    const passMinutes = async (minutes: number, until: () => boolean = () => false): Promise<void> => {
      for (let passed = 0; passed < minutes && !until(); passed += 1) {
        now += minute;
        await passMinute(world, now);
      }
    };
    try {
      await passMinutes(settlingMinutes);
      const idleMinute = await during(() => passMinutes(1));
      const rows = [idleRow(resources, idleMinute)];
      if (resources > 1) return rows;

      const total = () => world.site.controller.controller.figures(names[0] ?? '').total;
      const borrow = await during(async () => {
        // The first job takes the token that the site owns.
        const jobs = [1, 1].map((tokens) => ({ submit: now, needs: { [names[0] ?? '']: tokens }, runSeconds: 90 }));
        await world.submit(jobs);
        await world.settle();
      });
      const giveBack = await during(async () => {
        await passMinutes(longestReturnMinutes, () => total() === 1);
        await passMinutes(settlingMinutes);
      });
      return [...rows, ...borrowRows('borrow', borrow), ...borrowRows('return', giveBack)];
    } finally {
      watch.stop();
      await world.close();
    }
  });
}

async function passMinute(world: LockstepWorld, now: number): Promise<void> {
  await world.advance(now);
  await world.settle();
  await world.tick();
  await world.settle();
}

const idleTarget = '1 read, 0 writes, 2 controller calls, 0 provider calls';

function idleRow(resources: number, counts: Counts): Row {
  const { reads, ledgerWrites, historyWrites, passWrites, demandWrites, controllerCalls, providerCalls } = counts;
  const writes = ledgerWrites + historyWrites + passWrites + demandWrites;
  const figure = `${reads} ${reads === 1 ? 'read' : 'reads'}, ${writes} writes, ${controllerCalls} controller calls, ${providerCalls} provider calls`;
  return {
    measure: `idle minute, ${resources === 1 ? '1 resource' : `${resources} resources`}`,
    figure,
    target: idleTarget,
    isMissed: figure !== idleTarget,
    how: 'requests of the scheduled functions to the local engine and over HTTP',
  };
}

function borrowRows(what: 'borrow' | 'return', counts: Counts): Row[] {
  const { ledgerWrites, historyWrites, passWrites, demandWrites, providerCalls } = counts;
  const how = `requests of the functions for one ${what}`;
  return [
    { measure: `${what}: ledger writes`, ...exactly(ledgerWrites, 3), how },
    {
      measure: `${what}: other writes`,
      figure: `${historyWrites} history, ${passWrites} pass, ${demandWrites} demand window`,
      how,
    },
    { measure: `${what}: provider calls`, figure: String(providerCalls), how },
  ];
}

const silent = { info: () => {}, warn: () => {}, alarm: () => {} };
