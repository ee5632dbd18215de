import { run, until, type Environment } from './run.ts';

/** A job that only holds what it asks for. */
export interface JobRequest {
  /** As `sbatch --licenses` takes it: `vcs_runtime@flex1:4`. */
  readonly licences?: string;
  readonly runSeconds: number;
  /** Further options of sbatch. */
  readonly options?: readonly string[];
}

/** A job, or a task of an array, that slurmctld lists. */
export interface QueuedJob {
  /** `12`, for a task of an array `12_3`, for a component of a heterogeneous job `12+1`. */
  readonly id: string;
  /** `PENDING`, `RUNNING`, ... */
  readonly state: string;
  /** Why it does not run: `Licenses`, `Priority`, ... */
  readonly reason: string;
}

/** A remote or local licence as slurmctld counts it. */
export interface LicenceCount {
  readonly total: number;
  readonly used: number;
}

/** One run of a job as accounting has recorded it; a job that was requeued has several. */
export interface JobRecord {
  readonly id: string;
  /** `COMPLETED`, `RUNNING`, `CANCELLED by 0`, ... */
  readonly state: string;
  /** Unix time in whole seconds; absent when it has not come yet. */
  readonly startSeconds?: number;
  readonly endSeconds?: number;
  /** Held from start to end, by name: only those that `AccountingStorageTRES` names. */
  readonly licences: Readonly<Record<string, number>>;
}

/** What tests ask of a Slurm by its own programs. */
export class Slurm {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The id of the job. */
  async submit({ licences, runSeconds, options = [] }: JobRequest): Promise<string> {
    const id = await this.#run(
      'sbatch',
      '--parsable',
      '--output=/dev/null',
      ...(licences === undefined ? [] : [`--licenses=${licences}`]),
      ...options,
      `--wrap=sleep ${runSeconds}`,
    );
    return id.trim();
  }

  /** Jobs that wait, run or are about to end, each task of an array by itself. */
  async queue(): Promise<readonly QueuedJob[]> {
    const lines = await this.#lines('squeue', '--noheader', '--array', '--format=%i|%T|%r');
    return lines.map(([id = '', state = '', reason = '']) => ({ id, state, reason }));
  }

  /** By name, for a remote one `NAME@SERVER`. */
  async licences(): Promise<ReadonlyMap<string, LicenceCount>> {
    const text = await this.#run('scontrol', '--oneliner', 'show', 'licenses');
    return new Map(
      [...text.matchAll(/^LicenseName=(\S+) Total=(\d+) Used=(\d+) /gm)].map(([, name = '', total, used]) => [
        name,
        { total: Number(total), used: Number(used) },
      ]),
    );
  }

  /** All runs of all jobs of the cluster. Accounting hears of a change up to some seconds after it. */
  async records(): Promise<readonly JobRecord[]> {
    const fields = '--format=JobID,State,Start,End,AllocTRES';
    const lines = await this.#lines(
      'sacct',
      '--allusers',
      '--allocations',
      '--duplicates',
      '--noheader',
      '--parsable2',
      '--starttime=1970-01-01',
      fields,
    );
    return lines.map(([id = '', state = '', start = '', end = '', held = '']) => ({
      id,
      state,
      ...(isTime(start) ? { startSeconds: Number(start) } : {}),
      ...(isTime(end) ? { endSeconds: Number(end) } : {}),
      licences: licencesIn(held),
    }));
  }

  /** Ends every job, and resolves when none is left. */
  async cancelAll(): Promise<void> {
    // Otherwise a waiting job would start on what one that was ended before it leaves free.
    await this.#run('scancel', '--state=PENDING', '--user=root');
    await this.#run('scancel', '--user=root');
    await until('every job has ended', async () => (await this.queue()).length === 0);
  }

  #run(program: string, ...args: readonly string[]): Promise<string> {
    return run({ ...this.#environment, SLURM_TIME_FORMAT: '%s' }, program, ...args);
  }

  async #lines(program: string, ...args: readonly string[]): Promise<readonly (readonly string[])[]> {
    const text = await this.#run(program, ...args);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('|'));
  }
}

function isTime(text: string): boolean {
  return /^\d+$/.test(text);
}

/** Out of `billing=1,cpu=1,license/vcs_runtime@flex1=4`. */
function licencesIn(allocated: string): Record<string, number> {
  return Object.fromEntries(
    [...allocated.matchAll(/license\/([^=,]+)=(\d+)/g)].map(([, name = '', tokens]) => [name, Number(tokens)]),
  );
}
