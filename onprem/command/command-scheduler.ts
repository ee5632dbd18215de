import { parseDuration } from '../../shared/config/duration.ts';
import { maxTokens } from '../../shared/contracts/common.ts';
import type { Tokens } from '../../shared/domain/model.ts';
import type { Clock } from '../../shared/ports.ts';
import { UnknownResourceError } from '../errors.ts';
import { runProgram } from '../run-program.ts';
import { SchedulerError, type Scheduler, type SchedulerFigures, type SchedulerView } from '../scheduler.ts';
import type { CommandSettings } from './config.ts';
import { readLook } from './look-document.ts';

type Program = CommandSettings['look'];

/** Between looks for a total that the scheduler does not show yet. */
const pauseMilliseconds = 500;

/** Any scheduler, through programs that the site has for it. */
export class CommandScheduler implements Scheduler {
  readonly uncertainSeconds: number;
  readonly #settings: CommandSettings;
  readonly #resources: readonly string[];
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #timeoutMilliseconds: number;

  /** The programs run in `directory`, so their paths may be relative to it. */
  constructor(settings: CommandSettings, options: { resources: readonly string[]; directory: string; clock: Clock }) {
    this.uncertainSeconds = parseDuration(settings.uncertainFor);
    this.#settings = settings;
    this.#resources = options.resources;
    this.#directory = options.directory;
    this.#clock = options.clock;
    this.#timeoutMilliseconds = parseDuration(settings.programTimeout) * 1000;
  }

  async look(): Promise<SchedulerView> {
    const { look } = this.#settings;
    const document = readLook(await this.#run(look), look, this.#resources);
    const now = this.#clock.now();
    return {
      resources: new Map(Object.entries(document.resources)),
      waiting: document.waiting
        .filter(({ needs }) => canStart(Object.values(needs)))
        .map(({ waitingSeconds, ...jobs }) => ({ ...jobs, waitingSince: now - waitingSeconds * 1000 })),
    };
  }

  async figures(resource: string): Promise<SchedulerFigures> {
    const figures = (await this.look()).resources.get(resource);
    if (figures === undefined) throw new UnknownResourceError('looking at the scheduler', resource);
    return figures;
  }

  async setTotal(resource: string, total: Tokens): Promise<void> {
    const [program, ...first] = this.#settings.setTotal;
    await this.#run([program, ...first, resource, String(total)]);
    const until = this.#clock.now() + this.#timeoutMilliseconds;
    let shown = (await this.figures(resource)).total;
    while (shown !== total) {
      if (this.#clock.now() >= until) {
        throw new SchedulerError(
          `setting the total of ${resource} to ${total}: ${program} ended well, but the scheduler still shows ${shown}; ` +
            'see whether it took the change, and whether somebody else changes the total',
        );
      }
      await this.#clock.sleep(pauseMilliseconds);
      shown = (await this.figures(resource)).total;
    }
  }

  async settle(): Promise<void> {
    const { settle } = this.#settings;
    if (typeof settle === 'string') await this.#clock.sleep(parseDuration(settle) * 1000);
    else await this.#run(settle);
  }

  #run([program, ...args]: Program): Promise<string> {
    return runProgram({
      program,
      arguments: args,
      directory: this.#directory,
      timeoutMilliseconds: this.#timeoutMilliseconds,
    });
  }
}

/** A job that asks for more than any total can be never starts, and one that asks for nothing of ours is not ours. */
function canStart(needs: readonly Tokens[]): boolean {
  return needs.length > 0 && needs.every((tokens) => tokens <= maxTokens);
}
