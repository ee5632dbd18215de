import { setTimeout as sleep } from 'node:timers/promises';
import { licencesArguments, parseLicences } from '../onprem/slurm/licences-text.ts';
import type { SlurmLab } from '../test/slurm-lab/lab.ts';
import { run } from '../test/slurm-lab/run.ts';

export const lookEveryMilliseconds = 100;
/** Much longer than a site that looks every minute needs. */
const withinMilliseconds = 180_000;

export const jobIs = (state: string, job: string): string => `job ${job} is ${state}`;
export const tokensAre = (tokens: number, licence: string): string => `${tokens} tokens of ${licence} are usable`;

/** When a Slurm has first shown something, by its own programs. It looks as long as somebody waits for a sight. */
export class Sightings {
  readonly #lab: SlurmLab;
  readonly #first = new Map<string, number>();
  #looking: Promise<void> | undefined;

  constructor(lab: SlurmLab) {
    this.#lab = lab;
  }

  /** In milliseconds since this process has begun. */
  async first(what: string): Promise<number> {
    const end = performance.now() + withinMilliseconds;
    while (performance.now() < end) {
      const at = this.#first.get(what);
      if (at !== undefined) return at;
      this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
      await this.#looking;
    }
    throw new Error(`looking at Slurm until ${what}: not so after ${withinMilliseconds / 1000} s`);
  }

  async #look(): Promise<void> {
    const [jobs, licences] = await Promise.all([
      this.#lab.slurm.queue(),
      run(this.#lab.environment, 'scontrol', ...licencesArguments).then(parseLicences),
    ]);
    const seen = [
      ...jobs.map(({ id, state }) => jobIs(state, id)),
      // What a reservation holds, no job can have.
      ...[...licences].map(([name, { total, reserved }]) => tokensAre(total - reserved, name)),
    ];
    const now = performance.now();
    for (const what of seen) if (!this.#first.has(what)) this.#first.set(what, now);
    await sleep(lookEveryMilliseconds);
  }
}
