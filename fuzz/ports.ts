/** The ports of one process: each call goes through `ask`, and takes effect at the parties under the eyes of the oracle. */
import { NotElasticError, UnknownResourceError } from '../onprem/errors.ts';
import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PoolProvider } from '../shared/adapters/provider/pool-provider.ts';
import { totalsLease } from '../shared/contracts/controller.ts';
import type { Observation } from '../shared/domain/model.ts';
import type {
  Controller,
  LeaseOutcome,
  Log,
  Provider,
  TotalOutcome,
  TotalReceiver,
  TotalUpdate,
} from '../shared/ports.ts';
import type { PortCall } from '../shared/simulation/port-calls.ts';
import type { PushPorts } from '../shared/push-totals.ts';
import type { ReconcilePorts } from '../shared/reconcile.ts';
import { idlersAskNothing } from './checks/ownership.ts';
import { SimulatedLedgerStore } from './ledger-store.ts';
import type { Oracle } from './oracle.ts';
import { NoAnswer, type Ask, type Process } from './process.ts';
import type { TableCommand } from './table.ts';
import type { Lender, World } from './world.ts';

/** As the deployed functions ask for it (`functions/wiring.ts`). */
const leaseSeconds = 240;

/** `lost`: what the caller gets when no answer comes; it may throw. */
export type AskParty = <Answer>(
  process: Process,
  ask: Ask,
  effect: () => Promise<Answer>,
  lost: () => Answer,
) => Promise<Answer>;

/** What a run does for its processes. */
export interface Host {
  readonly world: World;
  readonly oracle: Oracle;
  readonly log: Log;
  readonly ask: AskParty;
  /** This total is on the wire. */
  pushes(update: TotalUpdate): void;
  newPassId(): string;
  totalChanged(): void;
}

const unknown = (): { outcome: 'unknown'; detail: string } => ({ outcome: 'unknown', detail: 'no answer' });

export function passPorts(host: Host, process: Process): ReconcilePorts {
  const { world } = host;
  return {
    ledger: ledgerOf(host, process),
    controller: controllerOf(host, process),
    providers: new Map(world.lenders.map((lender) => [lender.name, providerOf(host, process, lender)])),
    clock: process.instance.clock,
    events: {
      demandWaits: async () => {},
      totalChanged: () =>
        asked(host, process, { name: 'totalChanged', party: 'events' }, async () => host.totalChanged()),
    },
    log: host.log,
    newPassId: () => host.newPassId(),
    listedAt: process.instance.listedAt,
  };
}

export function pushPorts(host: Host, process: Process): PushPorts {
  const { clock } = process.instance;
  return { ledger: ledgerOf(host, process), receiver: receiverOf(host, process), clock, log: host.log };
}

/** A call that throws when no answer comes. */
function asked<Answer>(host: Host, process: Process, ask: Ask, effect: () => Promise<Answer>): Promise<Answer> {
  return host.ask(process, ask, effect, () => {
    throw new NoAnswer(ask.name);
  });
}

function ledgerOf(host: Host, process: Process): SimulatedLedgerStore {
  const { world, oracle } = host;
  return new SimulatedLedgerStore({
    site: world.site.policy.site,
    send: (command) =>
      asked(host, process, { name: nameOf(command), party: 'table' }, async () => world.table.execute(command)),
    keepPass: (record) =>
      asked(host, process, { name: 'put PASS', party: 'table' }, async () => {
        world.passes.set(record.id, record);
        oracle.happened({ method: 'recordPass', arguments: [record] });
      }),
    passOf: (id) => world.passes.get(id),
    note: (call) => void process.calls.push(call),
  });
}

function nameOf(command: TableCommand): string {
  if (!(command instanceof PutItemCommand)) return 'read';
  const { Item: item, ConditionExpression: condition } = command.input;
  return `${condition === undefined ? 'put' : 'put if'} ${item?.['sk']?.S ?? ''}`;
}

function controllerOf(host: Host, process: Process): Controller {
  const { world } = host;
  const { clock } = process.instance;
  const to = { party: 'controller', receiver: world.controllerClock } as const;
  return {
    async acquireLease() {
      process.calls.push({ method: 'acquireLease', arguments: [] });
      const answer = await asked<LeaseOutcome>(host, process, { name: 'acquireLease', ...to }, async () =>
        world.controller.acquireLease(totalsLease, world.site.policy.site, leaseSeconds, world.controllerClock.now()),
      );
      process.isIdle = !answer.held;
      return answer;
    },
    async observe(peakWindowSeconds) {
      process.calls.push({ method: 'observe', arguments: [peakWindowSeconds] });
      const answer = await asked<Observation>(host, process, { name: 'observe', ...to }, async () =>
        world.controller.observe(peakWindowSeconds, world.controllerClock.now()),
      );
      return { ...answer, receivedAt: clock.now() };
    },
  };
}

function receiverOf(host: Host, process: Process): TotalReceiver {
  const { world, oracle } = host;
  return {
    setTotal(update) {
      const call: PortCall = { method: 'setTotal', arguments: [update] };
      process.calls.push(call);
      host.pushes(update);
      const { resource, total, epoch, sequence } = update;
      const ask = { name: `setTotal ${resource} ${total} (${epoch}, ${sequence})`, party: 'controller' } as const;
      return host.ask<TotalOutcome>(
        process,
        { ...ask, receiver: world.controllerClock },
        () => oracle.around(call, async () => setTotal(world, update)),
        unknown,
      );
    },
  };
}

export function setTotal({ controller, controllerClock }: World, update: TotalUpdate): TotalOutcome {
  try {
    return controller.setTotal(update, controllerClock.now());
  } catch (error) {
    if (!(error instanceof UnknownResourceError || error instanceof NotElasticError)) throw error;
    return { outcome: 'refused', detail: error.message };
  }
}

const changing: ReadonlySet<PortCall['method']> = new Set(['request', 'giveBack', 'renew']);

function providerOf(host: Host, process: Process, lender: Lender): Provider {
  const { world, oracle } = host;
  const provider = lender.name;
  const to = { party: 'provider', receiver: lender.clock } as const;
  const port = (): PoolProvider => new PoolProvider({ pool: lender.pool, site: world.site.policy.site });
  const noted = <Call extends PortCall>(call: Call): Call => {
    process.calls.push(call);
    if (changing.has(call.method)) oracle.attempt(() => idlersAskNothing(process, world.time.now));
    return call;
  };
  return {
    name: provider,
    describe() {
      noted({ method: 'describe', arguments: [], provider });
      return asked(host, process, { name: `${provider} describe`, ...to }, () => port().describe());
    },
    list() {
      noted({ method: 'list', arguments: [], provider });
      return asked(host, process, { name: `${provider} list`, ...to }, () => port().list());
    },
    request(...body) {
      const call = noted({ method: 'request', arguments: body, provider });
      const ask = { name: `${provider} request ${body.join(' ')}`, ...to };
      return host.ask(process, ask, () => oracle.around(call, () => port().request(...body)), unknown);
    },
    giveBack(...body) {
      const call = noted({ method: 'giveBack', arguments: body, provider });
      const ask = { name: `${provider} giveBack ${body.join(' ')}`, ...to };
      return host.ask(process, ask, () => oracle.around(call, () => port().giveBack(...body)), unknown);
    },
    renew(...body) {
      const call = noted({ method: 'renew', arguments: body, provider });
      const ask = { name: `${provider} renew ${body.join(' ')}`, ...to };
      return host.ask(process, ask, () => oracle.around(call, () => port().renew(...body)), unknown);
    },
  };
}

/** A conditional write that somebody else's write came before. */
export function isLostToRival(error: unknown): boolean {
  return error instanceof ConditionalCheckFailedException;
}
