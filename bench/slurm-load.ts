import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Watch } from '../onprem/gateway/watch.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import type { SlurmLab } from '../test/slurm-lab/lab.ts';
import { run } from '../test/slurm-lab/run.ts';
import { atMost, type Benchmark, type Row } from './benchmark.ts';
import { median, millis, timed } from './figures.ts';
import { resourceNames } from './generated-site.ts';
import { connectTo, licenceOf, whereSlurmIs, withSlurmLab } from './slurm-lab.ts';

const tasksOfArray = 1_000;
const resources = resourceNames(10);
const jobs = resources.length * tasksOfArray;
const owned = 1;
const neededTokens = 4;
const ceiling = 1_000;
const minute = 60_000;
/** After the jobs were submitted slurmctld saves them, and tells accounting of them. */
const settleMilliseconds = 15_000;
/** Linux counts a process's CPU time in hundredths of a second for all who read it. */
const tickMilliseconds = 10;

/** What the gateway's looks cost a slurmctld with a long queue. */
export const slurmLoad: Benchmark = {
  name: 'slurm-load',
  run: () =>
    whereSlurmIs('slurmctld', () =>
      withSlurmLab(
        {
          licences: Object.fromEntries(resources.map((name) => [licenceOf(name), owned])),
          // As Slurm schedules by default. A line more: Slurm takes not quite 10,000 jobs by default.
          schedulerParameters: `allow_zero_lic\nMaxJobCount=${2 * jobs}`,
        },
        async (lab) => {
          await submitJobs(lab);
          await sleep(settleMilliseconds);
          const alone = await load(lab);
          const looks: number[] = [];
          const watch = await watchOf(lab, looks);
          watch.start();
          try {
            return rowsOf({ alone, watched: await load(lab), looks });
          } finally {
            await watch.stop();
          }
        },
      ),
    ),
};

/** Jobs that need more tokens than there are. */
async function submitJobs({ slurm, environment }: SlurmLab): Promise<void> {
  for (const resource of resources) {
    const licences = `${licenceOf(resource)}:${neededTokens}`;
    const options = [`--array=0-${tasksOfArray - 1}`];
    const array = await slurm.submit({ licences, runSeconds: 60, options });
    // All waiting tasks of an array are one record of slurmctld's until one is changed by itself.
    const tasks = `${array}_[1-${tasksOfArray - 1}]`;
    await run(environment, 'scontrol', 'update', `jobid=${tasks}`, 'nice=1');
  }
  const lines = (await run(environment, 'squeue', '--noheader')).split('\n').length - 1;
  if (lines !== jobs) throw new Error(`filling Slurm's queue: it has ${lines} records of ${jobs}`);
}

/** The gateway's loop; each look's milliseconds are added to `looks`. */
async function watchOf(lab: SlurmLab, looks: number[]): Promise<Watch> {
  const scheduler = await connectTo(
    lab,
    'count',
    resources.map((name) => ({ name, owned, ceiling, elastic: true })),
  );
  const look = async (): Promise<void> => {
    looks.push(await timed(() => scheduler.look()));
  };
  return new Watch({
    controller: { look, enforce: async () => {} },
    clock: systemClock,
    log: { info: () => {}, warn: () => {}, alarm: () => {} },
    everyMilliseconds: 1_000,
  });
}

/** Of slurmctld, in a minute. */
interface Load {
  readonly cpuMilliseconds: number;
  /** Reads of the queue, and what each takes inside of slurmctld. */
  readonly reads: number;
  readonly readMilliseconds: number;
}

async function load({ environment }: SlurmLab): Promise<Load> {
  await run(environment, 'sdiag', '--reset');
  const processId = await readFile(join(dirname(environment['SLURM_CONF'] ?? ''), 'slurmctld.pid'), 'utf8');
  const before = await cpuMilliseconds(processId.trim());
  await sleep(minute);
  const after = await cpuMilliseconds(processId.trim());
  const reads = /REQUEST_JOB_INFO +\( *\d+\) count:(\d+) +ave_time:(\d+)/.exec(await run(environment, 'sdiag'));
  const [count = 0, microseconds = 0] = (reads ?? []).slice(1).map(Number);
  return { cpuMilliseconds: after - before, reads: count, readMilliseconds: microseconds / 1000 };
}

/** In user and kernel mode since the process has begun: the 14th and 15th field (man proc_pid_stat). */
async function cpuMilliseconds(processId: string): Promise<number> {
  const text = await readFile(`/proc/${processId}/stat`, 'utf8');
  // The second field, in brackets, may hold blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMilliseconds;
}

function rowsOf({ alone, watched, looks }: { alone: Load; watched: Load; looks: readonly number[] }): Row[] {
  const percent = (milliseconds: number): string => `${((100 * milliseconds) / minute).toFixed(1)} %`;
  const of = `slurmctld, ${jobs.toLocaleString('en')} waiting jobs`;
  return [
    {
      measure: `${of}: CPU for the gateway's looks`,
      // The part of the time that the gateway's loop may take as a whole (onprem/gateway/watch.ts).
      ...atMost(watched.cpuMilliseconds - alone.cpuMilliseconds, 0.1 * minute, percent),
      how: `of one core; in a minute with the gateway ${percent(watched.cpuMilliseconds)}, before without it ${percent(alone.cpuMilliseconds)}`,
    },
    {
      measure: `${of}: looks`,
      figure: `${watched.reads} in a minute, each ${millis(median(looks))}, of which ${millis(watched.readMilliseconds)} in slurmctld`,
      how: 'p50 of a look (squeue, scontrol, sinfo, and reading them); mean of REQUEST_JOB_INFO by sdiag',
    },
  ];
}
