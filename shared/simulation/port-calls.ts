/** The calls that a pass or a push makes on the world, as data, and a way to stand around each of them. */
import type { Controller, Events, LedgerStore, Provider, TotalReceiver } from '../ports.ts';
import type { PushPorts } from '../push-totals.ts';
import type { ReconcilePorts } from '../reconcile.ts';

type Call<Port, Extra = unknown> = {
  [Method in keyof Port & string as Port[Method] extends (...args: never) => unknown ? Method : never]: {
    readonly method: Method;
    readonly arguments: Port[Method] extends (...args: infer Arguments) => unknown ? Arguments : never;
  } & Extra;
};

type Calls = Call<LedgerStore> & Call<Controller> & Call<TotalReceiver> & Call<Events> & Call<Provider, ProviderCall>;

interface ProviderCall {
  readonly provider: string;
}

/** No two ports have a method of the same name, so the name tells the call. */
export type PortCall = Calls[keyof Calls];

/** `effect` makes the call. It may be made never, once, later or more often. */
export type Around = <Answer>(call: PortCall, effect: () => Promise<Answer>) => Promise<Answer>;

/** The ports of a pass, with `around` standing around each call but those of clock and log. */
export function aroundReconcile(ports: ReconcilePorts, around: Around): ReconcilePorts {
  return {
    ...ports,
    ledger: aroundPort(ports.ledger, around),
    controller: aroundPort(ports.controller, around),
    events: aroundPort(ports.events, around),
    providers: new Map(
      [...ports.providers].map(([name, port]) => [name, aroundPort(port, around, { provider: name })]),
    ),
  };
}

/** The same for a push. */
export function aroundPush(ports: PushPorts, around: Around): PushPorts {
  return { ...ports, ledger: aroundPort(ports.ledger, around), receiver: aroundPort(ports.receiver, around) };
}

/** Every method of every port answers with a promise. */
function aroundPort<Port extends object>(port: Port, around: Around, extra: Partial<ProviderCall> = {}): Port {
  return new Proxy(port, {
    get(target, method) {
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the port's own method, with its own arguments
        const call = { method, arguments: args, ...extra } as PortCall;
        return around(call, async (): Promise<unknown> => Reflect.apply(value, target, args));
      };
    },
  });
}
