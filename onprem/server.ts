import type { KeyList } from '../shared/adapters/signing/keys.ts';
import type { ControllerConfig } from '../shared/config/derive.ts';
import type { Clock, Log } from '../shared/ports.ts';
import { controllerApp } from './app.ts';
import { ReferenceController } from './controller.ts';
import { EventTimer } from './event-timer.ts';
import { jobsApp } from './jobs-app.ts';
import { compactIfDue, openJournal, orClose } from './open-journal.ts';
import { serve, type Served, type ServeOptions } from './serve.ts';
import type { ReferenceChange, ReferenceState } from './state.ts';
import { demandTeller, type DemandOptions } from './tell-site.ts';

export interface StartOptions extends ServeOptions {
  readonly config: ControllerConfig;
  /** A function is asked at every call, so that a changed key list takes effect without a restart. */
  readonly keys: KeyList | (() => KeyList);
  readonly clock: Clock;
  readonly log: Log;
  readonly demand?: DemandOptions;
}

export interface RunningController {
  readonly url: string;
  readonly controller: ReferenceController;
  /** As over HTTP, for whoever brings calls in another way. */
  answer(request: Request): Promise<Response>;
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
  const running = await serve(options, () => load(options));
  const { url, served } = running;
  return {
    url,
    controller: served.controller,
    answer: async (request) => served.answer(request, {}),
    advance: () => served.advance(),
    close: () => running.close(),
  };
}

interface LoadedController extends Served {
  readonly controller: ReferenceController;
  advance(): void;
}

function load({ config, keys, directory, clock, log, demand }: StartOptions): LoadedController {
  const { journal, saved } = openJournal<ReferenceState, ReferenceChange>(directory, log);
  const controller = orClose(journal, () => {
    const keep = (change: ReferenceChange): void => journal.append(change);
    return new ReferenceController({ config, now: clock.now(), saved, keep });
  });
  const tellSite = demandTeller(config.site, demand, log);
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
    compactIfDue(journal, () => controller.state(), log);
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
