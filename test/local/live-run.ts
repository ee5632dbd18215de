import { onTestFinished } from 'vitest';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { runLocally, type LocalRun, type Started } from '../../shared/local/run-locally.ts';
import type { TraceJob } from '../../shared/traces/job.ts';
import type { MadeSite } from './made-site.ts';
import { Status } from './status.ts';

/** A local run in this process, a minute in a quarter of a second. It is stopped after the test at the latest. */
export class LiveRun {
  readonly status: Status;
  readonly started: Started;
  readonly #stop: AbortController;
  readonly #ended: Promise<void>;

  private constructor(started: Started, stop: AbortController, ended: Promise<void>) {
    this.started = started;
    this.status = new Status(started.url);
    this.#stop = stop;
    this.#ended = ended;
    onTestFinished(() => this.stop());
  }

  static async start({ site, directory }: MadeSite, jobs: readonly TraceJob[], over: Partial<LocalRun> = {}) {
    const stop = new AbortController();
    let ended = Promise.resolve();
    const started = await new Promise<Started>((resolve, reject) => {
      ended = runLocally({
        site,
        jobs,
        directory,
        speed: 240,
        port: 0,
        log: new JsonLog(() => {}),
        signal: stop.signal,
        onStarted: resolve,
        onStatus: () => {},
        ...over,
      });
      ended.catch(reject);
    });
    return new LiveRun(started, stop, ended);
  }

  stop(): Promise<void> {
    this.#stop.abort();
    return this.#ended;
  }
}
