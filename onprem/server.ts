import { HttpClient } from '../shared/adapters/http/client.ts';
import { listen } from '../shared/adapters/http/server.ts';
import { takeDirectory } from '../shared/adapters/take-directory.ts';
import type { KeyList, SigningKey } from '../shared/adapters/signing/keys.ts';
import type { ControllerConfig } from '../shared/config/derive.ts';
import type { Clock, Log } from '../shared/ports.ts';
import { controllerApp } from './app.ts';
import { ReferenceController } from './controller.ts';
import { DemandNotifier } from './demand-notifier.ts';
import { EventTimer } from './event-timer.ts';
import { jobsApp } from './jobs-app.ts';
import { JournalWriteError } from './journal-errors.ts';
import { Journal } from './journal.ts';
import type { ReferenceChange, ReferenceState } from './state.ts';

export interface StartOptions {
  readonly config: ControllerConfig;
  /** A function is asked at every call, so that a changed key list takes effect without a restart. */
  readonly keys: KeyList | (() => KeyList);
  /** Where the journal is kept, for one process at a time. */
  readonly directory: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly demand?: DemandOptions;
}

/** Where to tell that jobs begin to wait. */
export interface DemandOptions {
  /** Asked at every call, as the site's API may start after the controller. */
  readonly url: () => string;
  /** Of the role controller. */
  readonly key: SigningKey;
  /** Is handed each run of calls, for whoever must know when it is over. */
  readonly start?: (task: () => Promise<void>) => void;
}

export interface RunningController {
  readonly url: string;
  readonly controller: ReferenceController;
  /** Does what is due now, for whoever moves the clock on. */
  advance(): void;
  /** Resolves when calls under way are answered and the journal is closed. It may be called twice. */
  close(): Promise<void>;
}

/**
 * Starts the reference controller from its journal. Throws `PortInUse`, `DirectoryInUse`, `DirectoryUnusable`,
 * `JournalDamagedError`, `JournalWriteError`.
 */
export async function startController(options: StartOptions): Promise<RunningController> {
  let loaded: LoadedController | undefined;
  const server = await listen(
    { fetch: (request, env) => loaded?.answer(request, env) ?? new Response(null, { status: 503 }) },
    options.port,
    options.host,
  );
  try {
    loaded = await loadAlone(options);
  } catch (error) {
    await server.close();
    throw error;
  }
  const running = loaded;
  const close = async (): Promise<void> => {
    await server.close();
    await running.close();
  };
  let closed: Promise<void> | undefined;
  return {
    url: server.url,
    controller: running.controller,
    advance: () => running.advance(),
    close: () => (closed ??= close()),
  };
}

interface LoadedController {
  readonly controller: ReferenceController;
  answer(request: Request, env: object): Promise<Response>;
  advance(): void;
  close(): void | Promise<void>;
}

/** A second controller that is started by mistake must not touch the journal, so the directory is taken first. */
async function loadAlone(options: StartOptions): Promise<LoadedController> {
  const letGo = await takeDirectory(options.directory);
  try {
    const loaded = load(options);
    const close = async (): Promise<void> => {
      await loaded.close();
      await letGo();
    };
    return { ...loaded, close };
  } catch (error) {
    await letGo();
    throw error;
  }
}

function load({ config, keys, directory, clock, log, demand }: StartOptions): LoadedController {
  const { journal, saved, cutBytes } = Journal.open<ReferenceState, ReferenceChange>(directory);
  if (cutBytes > 0) log.warn('The journal ended in an unfinished line, which was cut off', { directory, cutBytes });
  const keep = (change: ReferenceChange): void => journal.append(change);
  const controller = new ReferenceController({ config, now: clock.now(), saved, keep });
  const tellSite = demand === undefined ? () => {} : demandTeller(config.site, demand, log);
  const timer = new EventTimer({ clock, nextEventAt: () => controller.nextEventAt(), onEvent: advance });
  let waitsTold = 0;

  const app = controllerApp({
    controller,
    site: config.site,
    keys: typeof keys === 'function' ? keys : () => keys,
    clock,
    log,
  });
  app.route('/v1/jobs', jobsApp(controller, clock));

  function advance(): void {
    controller.advance(clock.now());
    followUp();
  }

  /** What any step of the controller may lead to. */
  function followUp(): void {
    if (controller.waitsBegun > waitsTold) tellSite();
    waitsTold = controller.waitsBegun;
    if (journal.isCompactionDue) compact(journal, controller, log);
    timer.update();
  }

  followUp();
  return {
    controller,
    async answer(request, env) {
      const response = await app.fetch(request, env);
      followUp();
      return response;
    },
    advance,
    close() {
      timer.stop();
      journal.close();
    },
  };
}

function demandTeller(site: string, { url, key, start }: DemandOptions, log: Log): () => void {
  const client = new HttpClient({ key, subject: site, audience: site });
  const send = async (): Promise<void> => {
    const { status } = await client.request({ method: 'POST', url: url(), json: { site } });
    if (status >= 300) throw new Error(`Calling POST ${url()}: answered ${status}; see the log of the site's API`);
  };
  const notifier = new DemandNotifier({ send, log, ...(start && { start }) });
  return () => void notifier.notify();
}

function compact(journal: Journal<ReferenceState, ReferenceChange>, controller: ReferenceController, log: Log): void {
  try {
    journal.compact(controller.state());
  } catch (error) {
    if (!(error instanceof JournalWriteError)) throw error;
    log.warn('Compacting the journal has failed; it goes on growing', { error: error.message });
  }
}
