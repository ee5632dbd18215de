/** What one line of the queue stands for. */
export interface JobId {
  /** Of the job, of the array that the line's tasks belong to, or of the heterogeneous job that it is a component of. */
  readonly number: number;
  readonly part: 'job' | 'tasks' | 'component';
  /** Jobs that the line stands for: the tasks of an array that have not begun share one line. */
  readonly jobs: number;
  /** Most tasks of the array that may run at once (`%` at submission). */
  readonly mostAtOnce?: number;
}

/**
 * Reads a job's id as squeue's field JobArrayID shows it: `12`, `12_3`, `12_[0-9:3,20%4]`, `12+1`. `undefined`: it can't
 * be read, as when squeue cut the list of tasks short (`...`).
 */
export function parseJobId(text: string): JobId | undefined {
  const [, number, joint, rest = ''] = /^(\d+)(?:([_+])(.+))?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  if (joint === undefined) return { number: Number(number), part: 'job', jobs: 1 };
  if (joint === '+') return /^\d+$/.test(rest) ? { number: Number(number), part: 'component', jobs: 1 } : undefined;
  const [, list, most] = /^\[?([^%\]]+)(?:%(\d+))?\]?$/.exec(rest) ?? [];
  const tasks = list === undefined ? undefined : countTasks(list);
  if (tasks === undefined) return undefined;
  return {
    number: Number(number),
    part: 'tasks',
    jobs: tasks,
    ...(most === undefined ? {} : { mostAtOnce: Number(most) }),
  };
}

function countTasks(list: string): number | undefined {
  let tasks = 0;
  for (const range of list.split(',')) {
    const [, first, last = first, step = '1'] = /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(range) ?? [];
    if (first === undefined || Number(last) < Number(first) || Number(step) === 0) return undefined;
    tasks += Math.floor((Number(last) - Number(first)) / Number(step)) + 1;
  }
  return tasks;
}
