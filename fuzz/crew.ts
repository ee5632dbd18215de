/** Processes that share out batches of seeds. */
import { fork, type ChildProcess } from 'node:child_process';
import { sumOf, type Batch, type BatchResult } from './batch.ts';
import type { Order } from './worker.ts';

/** Small enough that the processes end at about the same time. */
const batchSeeds = 50;

/** Runs all seeds of the batch; `onProgress` is told how many are done. `workerFile`: the bundle of `worker.ts`. */
export async function runWithCrew(
  workerFile: string,
  { first, seeds, steps }: Batch,
  workers: number,
  onProgress: (done: number) => void = () => {},
): Promise<BatchResult> {
  const orders: Order[] = [];
  for (let from = first; from < first + seeds; from += batchSeeds) {
    orders.push({ first: from, seeds: Math.min(batchSeeds, first + seeds - from), steps, untilBroken: false });
  }
  const results: BatchResult[] = [];
  let done = 0;
  const work = async (): Promise<void> => {
    const worker = new Worker(workerFile);
    try {
      for (let order = orders.shift(); order !== undefined; order = orders.shift()) {
        const result = await worker.run(order);
        results.push(result);
        done += result.seeds;
        onProgress(done);
      }
    } finally {
      worker.end();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return sumOf(results);
}

export class Worker {
  readonly #child: ChildProcess;

  constructor(file: string) {
    // A fault that is injected is an error that is thrown: without their stacks they cost little.
    this.#child = fork(file, { execArgv: ['--stack-trace-limit=0'] });
  }

  /** One order after the other. */
  run(order: Order): Promise<BatchResult> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`running seeds from ${order.first}: exit ${code}`));
      this.#child.once('exit', ended);
      this.#child.once('message', (result) => {
        this.#child.off('exit', ended);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `worker.ts` sends
        resolve(result as BatchResult);
      });
      this.#child.send(order);
    });
  }

  end(): void {
    this.#child.kill();
  }
}
