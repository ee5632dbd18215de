/** Lambda and its triggers on one machine, driven by the manifest: routes, events and the schedule. */
import type { FunctionSpec } from '../../functions/manifest.ts';
import type { Environment, Handler, Host } from '../../functions/host.ts';
import { listen } from '../adapters/http/server.ts';
import type { Clock, Log } from '../ports.ts';
import type { Activity } from '../simulation/activity.ts';
import { eventBusApp } from './event-bus.ts';
import { gatewayApp } from './gateway.ts';

export interface FunctionRuntime {
  /** Of the HTTP API. */
  readonly url: string;
  invoke(name: string, event: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  readonly functions: readonly FunctionSpec[];
  /** For every function, on top of the address of the event bus. */
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Log;
  readonly activity: Activity;
  /** Of the HTTP API; 0 takes a free one. */
  readonly port: number;
}

export async function startFunctions(options: RuntimeOptions): Promise<FunctionRuntime> {
  const { functions, activity, log } = options;
  const handlers = new Map<string, Handler>();
  const underWay = new Set<Promise<unknown>>();
  const invoke = async (name: string, event: unknown): Promise<unknown> => {
    const handler = handlers.get(name);
    if (handler === undefined) throw new Error(`invoking ${name}: there is no such function in the manifest`);
    const call = handler(event);
    underWay.add(call);
    return call.finally(() => underWay.delete(call));
  };
  // As with events in the cloud, nobody waits for the outcome; the next tick makes good what failed.
  const deliver = (detailType: string, event: object): void => {
    for (const { name, events } of functions) {
      if (!events.some((type) => type === detailType)) continue;
      activity.start(() =>
        invoke(name, event).catch((error: unknown) => log.warn(`${name} failed`, { error: String(error) })),
      );
    }
  };
  const bus = await listen(eventBusApp(deliver), 0, '127.0.0.1');
  const host: Host = { ...options, environment: { ...options.environment, AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url } };
  const startGateway = async () => {
    for (const { name, load } of functions) handlers.set(name, await (await load()).make(host));
    return listen(gatewayApp(functions, invoke), options.port, '127.0.0.1');
  };
  const gateway = await startGateway().catch(async (error: unknown) => {
    await bus.close();
    throw error;
  });
  return {
    url: gateway.url,
    invoke,
    close: async () => {
      await gateway.close();
      await activity.idle();
      // Also those whose caller has not waited for the answer.
      await Promise.allSettled(underWay);
      await bus.close();
    },
  };
}

/** Runs the scheduled functions each time their period has passed, until `signal` is aborted. */
export async function runSchedule(
  { functions, clock, log, activity }: Pick<RuntimeOptions, 'functions' | 'clock' | 'log' | 'activity'>,
  runtime: Pick<FunctionRuntime, 'invoke'>,
  signal: AbortSignal,
): Promise<void> {
  const scheduled = functions.filter(({ everySeconds }) => everySeconds !== undefined);
  const period = Math.min(...scheduled.map(({ everySeconds = Infinity }) => everySeconds)) * 1000;
  for (let next = clock.now(); !signal.aborted; next = Math.max(next + period, clock.now())) {
    await clock.sleep(Math.max(0, next - clock.now()), signal).catch(() => undefined);
    if (signal.aborted) return;
    for (const { name } of scheduled) {
      activity.start(() =>
        runtime.invoke(name, {}).catch((error: unknown) => log.warn(`${name} failed`, { error: String(error) })),
      );
    }
  }
}
