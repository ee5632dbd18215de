/** What a site uses in a month, in the units that AWS bills. */
import type { FunctionSpec } from '../../functions/manifest.ts';
import { deploy } from '../config/deploy.ts';
import type { LoadedSite } from '../config/load.ts';
import { assumptions } from './assumptions.ts';
import type { Measured } from './measure.ts';
import { functionsOf, partsOf, type Parts } from './parts.ts';
import type { pricesOfUse } from './prices.ts';
import { nothing, plus, times, type Tally } from './tally.ts';

/** Quantities by the name of their price. */
export type Usage = Readonly<Record<keyof typeof pricesOfUse, number>> & Parts;

/** There is nothing to borrow for at the site. */
export class NothingElastic extends Error {
  override readonly name = 'NothingElastic';
  readonly site: string;

  constructor(site: string) {
    super(`counting the borrows of ${site}: none of its resources is elastic; leave the borrows out`);
    this.site = site;
  }
}

const daysAMonth = assumptions.hoursAMonth / 24;
const kilobytesPerGigabyte = 1_024 ** 2;
const bytesPerGigabyte = 1_024 ** 3;
const relayLooks = 3_600 * assumptions.relayLooksASecond;
/** Of `relay` for calls that are not there. */
const looksAnHour: Tally = {
  ...nothing,
  calls: 3_600 / assumptions.relayWaitSeconds,
  databaseRequests: relayLooks,
  readUnits: relayLooks,
  pausedMilliseconds: 3_600_000,
};

/** Throws `NothingElastic`. */
export function monthlyUsage(site: LoadedSite, measured: Measured, borrowsADay: number): Usage {
  const borrows = borrowsADay * daysAMonth;
  const work = workOf(site, measured, borrows);
  const all = [...work.values()].reduce(plus, nothing);
  const scheduled = [...work.keys()].filter(({ everySeconds }) => everySeconds !== undefined);
  const coldStarts = assumptions.coldStartsADay * daysAMonth;
  const apiRequests = sum([...work].map(([{ routes }, { calls }]) => (routes.length > 0 ? calls : 0)));
  const { readUnits, calls } = measured.idle.reconcile;
  const stored = ((4 * readUnits) / calls + all.keptUnits * 12 * assumptions.yearsKept) / kilobytesPerGigabyte;
  const logged =
    (all.logBytes + all.calls * assumptions.lambdaLogBytes + apiRequests * assumptions.accessLogBytes) /
    bytesPerGigabyte;
  const { logRetentionDays } = site.file.deploy ?? deploy.parse({});
  return {
    lambdaRequests: all.calls,
    lambdaDuration: sum([...work].map(([spec, tally]) => gigabyteSeconds(spec, tally, coldStarts))),
    schedules: sum(scheduled.map(callsOfSchedule)),
    events: all.events,
    tableReads: all.readUnits,
    tableWrites: all.writeUnits,
    tableStorage: stored,
    tableBackup: stored,
    apiRequests,
    logIngestion: logged,
    logStorage: (logged * logRetentionDays) / daysAMonth,
    secretCalls: coldStarts * scheduled.filter(({ signsWith }) => signsWith !== undefined).length,
    ...partsOf(site),
  };
}

/** What each function does in a month. Nobody reads the status. */
function workOf(site: LoadedSite, { idle, borrow }: Measured, borrows: number): ReadonlyMap<FunctionSpec, Tally> {
  if (borrows > 0 && borrow === undefined) throw new NothingElastic(site.policy.site);
  // The controller calls it once for each pass that is not of the schedule.
  const demand = { ...nothing, calls: 1, databaseRequests: 1, writeUnits: 1, events: 1 };
  const atRest: Readonly<Record<string, Tally>> = { ...idle, relay: plus(idle.relay, looksAnHour) };
  const added: Readonly<Record<string, Tally>> =
    borrow === undefined ? {} : { ...borrow, demand: times(demand, borrow.reconcile.calls) };
  const monthOf = ({ name }: FunctionSpec): Tally =>
    plus(times(atRest[name] ?? nothing, assumptions.hoursAMonth), times(added[name] ?? nothing, borrows));
  return new Map(functionsOf(site).map((spec) => [spec, monthOf(spec)]));
}

const callsOfSchedule = ({ everySeconds = Infinity }: FunctionSpec): number =>
  (assumptions.hoursAMonth * 3_600) / everySeconds;

function gigabyteSeconds({ everySeconds, memoryMegabytes }: FunctionSpec, tally: Tally, coldStarts: number): number {
  const { calls, databaseRequests, events, outsideCalls, pausedMilliseconds, readUnits } = tally;
  const waiting =
    pausedMilliseconds +
    (databaseRequests + events) * assumptions.awsRequestMilliseconds +
    outsideCalls * assumptions.outsideCallMilliseconds;
  const working =
    calls * assumptions.processorMillisecondsPerCall +
    outsideCalls * assumptions.processorMillisecondsPerOutsideCall +
    readUnits * assumptions.processorMillisecondsPerReadUnit;
  const starting = everySeconds === undefined ? 0 : coldStarts * assumptions.coldStartMilliseconds;
  const milliseconds = waiting + (working * assumptions.megabytesPerProcessor) / memoryMegabytes + starting;
  return (milliseconds / 1_000) * (memoryMegabytes / 1_024);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
