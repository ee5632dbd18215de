import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { HttpClient, validate } from '../shared/adapters/http/client.ts';
import type { SigningKey } from '../shared/adapters/signing/keys.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import { problem } from '../shared/contracts/common.ts';
import { relayedCalls, type RelayedAnswerDocument, type RelayedCalls } from '../shared/contracts/relay.ts';
import type { Clock, Log } from '../shared/ports.ts';

const compress = promisify(gzip);

/** How the site's calls are fetched. */
export interface RelayOptions {
  /** Ends in /v1/relay. */
  readonly url: string;
  /** Of the role controller. */
  readonly key: SigningKey;
  /** How long the site holds a call for more of them where there are none. */
  readonly waitSeconds: number;
  /** The pause after a look that has found none. */
  readonly everySeconds: number;
}

/** An answer is prepared, sent and carried in less. */
const callMilliseconds = 10_000;
const firstPauseMilliseconds = 1_000;
const longestPauseMilliseconds = 30_000;

/**
 * Fetches the site's calls to its controller and answers them, so that nothing has to come in from outside. A call whose
 * answer doesn't get to the site has an unknown outcome there, and is resolved by the site's next pass.
 */
export class RelayClient {
  readonly #options: RelayOptions;
  readonly #client: HttpClient;
  readonly #answer: (request: Request) => Response | Promise<Response>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #stop = new AbortController();
  readonly #answering = new Set<Promise<void>>();
  #running: Promise<void> = Promise.resolve();
  #failing: string | undefined;

  /** `answer` is the controller contract; it checks who calls. */
  constructor(options: {
    site: string;
    relay: RelayOptions;
    answer: (request: Request) => Response | Promise<Response>;
    log: Log;
    /** In real time, as the calls are signed; left out, the system's. */
    clock?: Clock;
  }) {
    const { site, relay, answer, log, clock = systemClock } = options;
    const timeoutMilliseconds = relay.waitSeconds * 1000 + callMilliseconds;
    this.#options = relay;
    this.#client = new HttpClient({ key: relay.key, subject: site, audience: site, timeoutMilliseconds });
    this.#answer = answer;
    this.#clock = clock;
    this.#log = log;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when the calls that were fetched are answered. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#answering);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      const found = await this.#fetch();
      failures = found === undefined ? failures + 1 : 0;
      const pause = found === undefined ? pauseAfter(failures) : found === 0 ? this.#options.everySeconds * 1000 : 0;
      if (pause > 0 && !signal.aborted) await this.#clock.sleep(pause, signal).catch(() => undefined);
    }
  }

  /** How many calls there were, all of which are being answered now; `undefined`: the site can't be asked. */
  async #fetch(): Promise<number | undefined> {
    const { signal } = this.#stop;
    try {
      const url = `${this.#options.url}?wait=${this.#options.waitSeconds}`;
      const { status, body } = await this.#client.request({ method: 'GET', url, signal });
      if (status !== 200) throw new Error(refused(`GET ${url}`, status, body));
      const { calls } = validate(relayedCalls, body, "the site's calls");
      if (this.#failing !== undefined) this.#log.info("the site's calls can be fetched again");
      this.#failing = undefined;
      for (const call of calls) this.#begin(call);
      return calls.length;
    } catch (error) {
      if (signal.aborted) return undefined;
      const reason = String(error);
      if (reason !== this.#failing) this.#log.warn("fetching the site's calls has failed", { error: reason });
      this.#failing = reason;
      return undefined;
    }
  }

  /** The next calls are fetched meanwhile, as an answer may take its time. */
  #begin(call: RelayedCalls['calls'][number]): void {
    const answering = this.#answerCall(call)
      .catch((error: unknown) => {
        const { method, target } = call;
        this.#log.warn('answering a call of the site has failed', { method, target, error: String(error) });
      })
      .finally(() => this.#answering.delete(answering));
    this.#answering.add(answering);
  }

  async #answerCall({ id, method, target, headers, body }: RelayedCalls['calls'][number]): Promise<void> {
    // Scheme and host are compared by nobody: the audience names the receiver (adapters/signing/call-token.ts).
    const request = new Request(`http://relayed${target}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const json = await documentOf(await this.#answer(request));
    const url = `${this.#options.url}/${id}`;
    const taken = await this.#client.request({ method: 'POST', url, json });
    if (taken.status !== 204) throw new Error(refused(`POST ${url}`, taken.status, taken.body));
  }
}

/** Doubled with each failure in a row. */
function pauseAfter(failures: number): number {
  return Math.min(firstPauseMilliseconds * 2 ** (failures - 1), longestPauseMilliseconds);
}

async function documentOf(response: Response): Promise<RelayedAnswerDocument> {
  const body = Buffer.from(await response.arrayBuffer());
  const contentType = response.headers.get('content-type');
  return {
    status: response.status,
    ...(contentType === null ? {} : { contentType }),
    body: body.length === 0 ? '' : (await compress(body)).toString('base64'),
  };
}

function refused(call: string, status: number, body: unknown): string {
  return `calling ${call}: answered ${status}; ${problem.safeParse(body).data?.detail ?? "see the log of the site's API"}`;
}
