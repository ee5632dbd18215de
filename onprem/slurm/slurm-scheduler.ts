import type { ControllerConfig } from '../../shared/config/derive.ts';
import { maxTokens } from '../../shared/contracts/common.ts';
import type { Tokens } from '../../shared/domain/model.ts';
import type { Clock, Log } from '../../shared/ports.ts';
import { UnknownResourceError } from '../errors.ts';
import { SchedulerError, type Scheduler, type SchedulerFigures, type SchedulerView } from '../scheduler.ts';
import { Barrier } from './barrier.ts';
import { slurmCommands, type SlurmCommands } from './commands.ts';
import type { SlurmSettings } from './config.ts';
import { CountTotals } from './count-totals.ts';
import { HoldTotals } from './hold-totals.ts';
import { heldByJobs } from './in-use.ts';
import { licenceNames } from './licence-names.ts';
import { parseIdleCpus, partitionsArguments } from './partitions.ts';
import { readSetup } from './slurm-setup.ts';
import { parseQueue, squeueArguments, type SlurmJob } from './squeue.ts';
import type { SlurmLicence, SlurmTotals } from './totals.ts';
import { waitingJobs } from './waiting.ts';

export interface SlurmSchedulerOptions {
  readonly resources: ControllerConfig['resources'];
  readonly clock: Clock;
  readonly log: Log;
}

/** Slurm, through its own programs. */
export class SlurmScheduler implements Scheduler {
  /**
   * What a killed program had asked for may lie in the socket of a daemon that hangs, and be done when it goes on; but
   * Slurm refuses what was signed longer ago than this.
   */
  readonly uncertainSeconds: number;
  readonly #run: SlurmCommands;
  readonly #totals: SlurmTotals;
  readonly #barrier: Barrier;
  readonly #clock: Clock;
  readonly #log: Log;
  /** By the names of their licences. */
  readonly #resources: ReadonlyMap<string, { readonly name: string; readonly ceiling: Tokens }>;
  readonly #licences: ReadonlyMap<string, string>;
  #unreadableJobs = 0;

  private constructor(
    settings: SlurmSettings,
    { resources, clock, log }: SlurmSchedulerOptions,
    uncertainSeconds: number,
  ) {
    this.uncertainSeconds = uncertainSeconds;
    this.#run = slurmCommands(settings);
    this.#clock = clock;
    this.#log = log;
    const names = licenceNames(resources, settings);
    const licenceOf = (resource: string): string => names.get(resource) ?? resource;
    this.#licences = names;
    this.#resources = new Map(resources.map(({ name, ceiling }) => [licenceOf(name), { name, ceiling }]));
    const ceilings = new Map(
      resources.filter(({ elastic }) => elastic).map(({ name, ceiling }) => [licenceOf(name), ceiling]),
    );
    this.#totals =
      settings.totals === 'count'
        ? new CountTotals(this.#run, [...ceilings.keys()], clock)
        : new HoldTotals(this.#run, ceilings);
    this.#barrier = new Barrier(this.#run, [...this.#resources.keys()][0] ?? '', clock);
  }

  /** Rejects with `SchedulerError` where Slurm can't be asked, or is not set up for it; the message says what to change. */
  static async connect(settings: SlurmSettings, options: SlurmSchedulerOptions): Promise<SlurmScheduler> {
    const { credentialSeconds } = await readSetup(slurmCommands(settings));
    const scheduler = new SlurmScheduler(settings, options, credentialSeconds);
    await scheduler.#totals.check();
    await scheduler.look();
    return scheduler;
  }

  async look(): Promise<SchedulerView> {
    const [licences, jobs, idleCpus] = await Promise.all([
      this.#totals.licences(),
      this.#jobs(),
      this.#run('sinfo', ...partitionsArguments).then(parseIdleCpus),
    ]);
    const held = heldByJobs(jobs);
    const waiting = waitingJobs(jobs, {
      now: this.#clock.now(),
      resources: this.#resources,
      figures: new Map([...licences].map(([name, { figures }]) => [name, figures])),
      idleCpus,
    });
    return {
      resources: new Map(
        [...this.#licences].map(([resource, licence]) => [resource, figuresOf(licence, licences, held)]),
      ),
      waiting: waiting.map(({ needs, ...jobsAlike }) => ({ ...jobsAlike, needs: this.#byResource(needs) })),
    };
  }

  async figures(resource: string): Promise<SchedulerFigures> {
    const licence = this.#licenceOf(resource, 'reading the figures of a resource');
    const [licences, jobs] = await Promise.all([this.#totals.licences(), this.#jobs()]);
    return figuresOf(licence, licences, heldByJobs(jobs));
  }

  async setTotal(resource: string, total: Tokens): Promise<void> {
    const licence = this.#licenceOf(resource, 'setting the total of a resource');
    // sacctmgr takes negative numbers, and such as are too large for it, and makes others of them.
    if (!Number.isInteger(total) || total < 0 || total > maxTokens) {
      throw new SchedulerError(
        `setting the total of ${resource} to ${total}: it must be a whole number up to ${maxTokens}`,
      );
    }
    await this.#totals.setTotal(licence, total);
  }

  async settle(): Promise<void> {
    await Promise.all([this.#barrier.pass(), this.#clock.sleep(this.#totals.unsavedMilliseconds)]);
  }

  async #jobs(): Promise<readonly SlurmJob[]> {
    const { jobs, unreadable } = parseQueue(await this.#run('squeue', ...squeueArguments));
    if (unreadable.length > this.#unreadableJobs)
      this.#log.warn('lines of squeue that can not be read; their jobs are left out', {
        lines: unreadable.slice(0, 5),
      });
    this.#unreadableJobs = unreadable.length;
    return jobs;
  }

  #licenceOf(resource: string, doing: string): string {
    const licence = this.#licences.get(resource);
    if (licence === undefined) throw new UnknownResourceError(doing, resource);
    return licence;
  }

  #byResource(needs: Readonly<Record<string, Tokens>>): Record<string, Tokens> {
    return Object.fromEntries(
      Object.entries(needs).map(([licence, tokens]) => [this.#resources.get(licence)?.name ?? licence, tokens]),
    );
  }
}

/** Slurm's own count of use forgets jobs when it is reconfigured, and when a licence is deleted and added again. */
function figuresOf(
  licence: string,
  licences: ReadonlyMap<string, SlurmLicence>,
  held: ReadonlyMap<string, Tokens>,
): SchedulerFigures {
  const counted = licences.get(licence);
  if (counted === undefined) {
    const known = [...licences.keys()].join(', ') || 'none';
    throw new SchedulerError(
      `looking at Slurm's licences: there is no ${licence} (there is ${known}); add it in Slurm, or correct scheduler.licences in the gateway's config`,
    );
  }
  return { total: counted.total, inUse: Math.max(counted.figures.used, held.get(licence) ?? 0) };
}
