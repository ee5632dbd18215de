/**
 * Workloads by seed. Nothing here but + − × ÷ and rounding, which every platform does alike to the last digit: powers and
 * logarithms would not be.
 */
import type { Instant, Tokens } from '../domain/model.ts';
import type { TraceJob } from './job.ts';
import { randomSource } from './random.ts';

export interface GeneratedTrace {
  readonly seed: number;
  readonly from: Instant;
  readonly days: number;
  /**
   * For each resource, how many tokens are in use in the busiest hours of the week when nobody has to wait: the mean, so
   * that single hours go well above and below.
   */
  readonly resources: Readonly<Record<string, { readonly busyTokens: Tokens }>>;
  /** Mean over the week. */
  readonly jobsPerHour: number;
}

/** So many jobs are asked for that a token each would already be more than the resource's busy hours shall use. */
export class TooManyJobsError extends Error {
  override readonly name = 'TooManyJobsError';
  readonly resource: string;
  readonly mostJobsPerHour: number;

  constructor(resource: string, jobsPerHour: number, mostJobsPerHour: number) {
    super(
      `generating a trace: ${jobsPerHour} jobs an hour need more tokens of ${resource} than its busy hours shall use, even ` +
        `with one token a job; ask for at most ${mostJobsPerHour.toFixed(2)} jobs an hour or for more tokens`,
    );
    this.resource = resource;
    this.mostJobsPerHour = mostJobsPerHour;
  }
}

/** Jobs submitted in each hour of the day (UTC, from midnight) and on each day (from Sunday), in proportion. */
const hourWeights = [3, 2, 2, 2, 2, 3, 4, 6, 10, 14, 16, 16, 14, 15, 17, 17, 16, 14, 11, 9, 8, 7, 5, 4];
const dayWeights = [3, 10, 10, 10, 10, 9, 3];
const meanWeight = mean(hourWeights) * mean(dayWeights);
const busiestFactor = (Math.max(...hourWeights) * Math.max(...dayWeights)) / meanWeight;

/**
 * Run times: the 1st, 10th, 20th, … 90th and 99th percentile of a log-normal with its median at 20 minutes and σ = 1.2,
 * joined by straight lines. Many short jobs and a few of hours, as solvers have.
 */
const runSecondsDeciles = [74, 258, 437, 640, 885, 1_200, 1_626, 2_251, 3_294, 5_586, 19_570];
const meanRunHours = (mean(runSecondsDeciles.slice(0, -1)) + mean(runSecondsDeciles.slice(1))) / 2 / 3_600;

/** How often a job needs any other resource beside its first. */
const coDemand = 0.3;

/**
 * Jobs with a daily and a weekly rhythm, sorted by submit, all in whole seconds; the same for a seed everywhere.
 * @throws {TooManyJobsError}
 */
export function generateTrace({ seed, from, days, resources, jobsPerHour }: GeneratedTrace): TraceJob[] {
  const random = randomSource(seed);
  const names = Object.keys(resources).sort();
  const meanTokens = new Map(names.map((name) => [name, meanTokensPerJob(name)]));
  const jobs: TraceJob[] = [];
  if (names.length === 0) return jobs;
  for (let hour = 0; hour < days * 24; hour += 1) {
    const start = from + hour * 3_600_000;
    const expected = (jobsPerHour * weightAt(start)) / meanWeight;
    const count = roundAtRandom(expected * (0.5 + random()), random);
    for (let job = 0; job < count; job += 1) {
      jobs.push({
        submit: start + Math.floor(random() * 3_600) * 1_000,
        needs: drawNeeds(),
        runSeconds: drawRunSeconds(random),
      });
    }
  }
  return jobs.sort((one, other) => one.submit - other.submit);

  /** By Little's law: tokens in use = jobs an hour × hours a job × tokens a job. */
  function meanTokensPerJob(name: string): number {
    const share = (1 + (names.length - 1) * coDemand) / names.length;
    const jobsAtOnce = jobsPerHour * busiestFactor * meanRunHours * share;
    const perJob = (resources[name]?.busyTokens ?? 0) / jobsAtOnce;
    if (perJob < 1) throw new TooManyJobsError(name, jobsPerHour, jobsPerHour * perJob);
    return perJob;
  }

  function drawNeeds(): Record<string, Tokens> {
    const first = names[Math.floor(random() * names.length)];
    const needed = names.filter((name) => name === first || random() < coDemand);
    return Object.fromEntries(needed.map((name) => [name, drawTokens(meanTokens.get(name) ?? 1, random)]));
  }
}

/** Evenly from 1 to as far above the mean as 1 is below it. */
function drawTokens(meanTokens: number, random: () => number): Tokens {
  return roundAtRandom(1 + (meanTokens - 1) * 2 * random(), random);
}

function drawRunSeconds(random: () => number): number {
  const place = random() * (runSecondsDeciles.length - 1);
  const below = Math.floor(place);
  const [low = 0, high = low] = runSecondsDeciles.slice(below);
  return Math.round(low + (high - low) * (place - below));
}

function weightAt(at: Instant): number {
  const time = new Date(at);
  return (hourWeights[time.getUTCHours()] ?? 0) * (dayWeights[time.getUTCDay()] ?? 0);
}

/** Up or down, so that the mean stays what it was. */
function roundAtRandom(value: number, random: () => number): number {
  return Math.floor(value + random());
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
