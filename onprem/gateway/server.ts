import type { KeyList, SigningKey } from '../../shared/adapters/signing/keys.ts';
import type { ControllerConfig } from '../../shared/config/derive.ts';
import type { Clock, Log } from '../../shared/ports.ts';
import { controllerApp } from '../app.ts';
import { compactIfDue, openJournal, orClose } from '../open-journal.ts';
import { RelayClient, type RelayOptions } from '../relay-client.ts';
import type { Scheduler } from '../scheduler.ts';
import { serve, type Served, type ServeOptions } from '../serve.ts';
import { demandTeller } from '../tell-site.ts';
import { GatewayController } from './controller.ts';
import type { GatewayChange, GatewayState } from './state.ts';
import { Watch } from './watch.ts';

export interface GatewayOptions extends ServeOptions {
  readonly config: ControllerConfig;
  readonly scheduler: Scheduler;
  /** Asked at every call, so that a changed key list takes effect without a restart. */
  readonly keys: () => KeyList;
  readonly clock: Clock;
  readonly log: Log;
  readonly lookEverySeconds: number;
  /** Where to tell that jobs begin to wait, and the key of the role controller. */
  readonly demand?: { readonly url: () => string; readonly key: SigningKey };
  /** Where to fetch the site's calls, for a site that can't call. */
  readonly pull?: RelayOptions;
}

export interface RunningGateway {
  readonly url: string;
  /** Resolves when calls and the look under way are over and the journal is closed. It may be called twice. */
  close(): Promise<void>;
}

/** The gateway is unhealthy when it has not seen the scheduler for this long. */
const unseenMilliseconds = 30_000;

/**
 * Starts the controller contract over a scheduler. Throws `PortInUse`, `DirectoryInUse`, `DirectoryUnusable`,
 * `JournalDamagedError`, `JournalWriteError`, and `SchedulerError` where the scheduler is not set up for it.
 */
export function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  return serve(options, () => load(options));
}

function load(options: GatewayOptions): Served {
  const { config, scheduler, keys, directory, clock, log, lookEverySeconds, demand, pull } = options;
  const { journal, saved } = openJournal<GatewayState, GatewayChange>(directory, log);
  const controller = orClose(journal, () => {
    const onWaiting = demandTeller(config.site, demand, log);
    const keep = (change: GatewayChange): void => journal.append(change);
    return new GatewayController({ config, scheduler, clock, log, saved, keep, onWaiting });
  });
  const health = (): { healthy: boolean; detail: string } => {
    const { lookedAt } = controller;
    if (lookedAt === undefined) return { healthy: false, detail: 'the scheduler has not been seen since the start' };
    const seconds = (clock.now() - lookedAt) / 1000;
    return {
      healthy: clock.now() - lookedAt <= unseenMilliseconds,
      detail: `the scheduler was last seen ${seconds.toFixed(1)} s ago`,
    };
  };
  const app = controllerApp({ controller, site: config.site, keys, clock, log, health });
  const watch = new Watch({ controller, clock, log, everyMilliseconds: lookEverySeconds * 1000 });
  watch.start();
  const answer = async (request: Request, env: object): Promise<Response> => {
    const response = await app.fetch(request, env);
    compactIfDue(journal, () => controller.state(), log);
    return response;
  };
  const relay =
    pull && new RelayClient({ site: config.site, relay: pull, answer: (request) => answer(request, {}), log });
  relay?.start();
  return {
    answer,
    async close() {
      await relay?.stop();
      await watch.stop();
      journal.close();
    },
  };
}
