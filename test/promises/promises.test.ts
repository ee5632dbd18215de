import { describe, expect, it } from 'vitest';
import type { ReconcilePorts } from '../../shared/reconcile.ts';
import type { PushPorts } from '../../shared/push-totals.ts';
import type { PortCall } from '../../shared/simulation/port-calls.ts';
import type { Interception } from '../../shared/simulation/simulated-site.ts';
import { FallibleController } from '../reconcile/fallible-controller.ts';
import { Lab, minute, start } from '../reconcile/lab.ts';
import { smallSite } from '../reconcile/sites.ts';
import { bounded, maxRounds } from './10-bounded.ts';
import { nothingBorrowed } from './8-it-ends.ts';
import { PromiseBroken } from './check.ts';

/** The port with some of its methods changed. */
function changed<Port extends object>(port: Port, methods: Partial<Port>): Port {
  return new Proxy(port, { get: (target, key) => Reflect.get(key in methods ? methods : target, key) as unknown });
}

/** A pass with a fault in its program. */
function faultyPass(change: (ports: ReconcilePorts) => Partial<ReconcilePorts>): Interception {
  return { reconcile: (ports, run) => run({ ...ports, ...change(ports) }), push: (ports, run) => run(ports) };
}

function faultyPush(change: (ports: PushPorts) => Partial<PushPorts>): Interception {
  return { reconcile: (ports, run) => run(ports), push: (ports, run) => run({ ...ports, ...change(ports) }) };
}

/** Jobs come and go under watch; answers the number of the promise that breaks. */
async function brokenBy(mutant?: Interception): Promise<number | undefined> {
  const lab = new Lab(smallSite({ returnAfter: '2m' }), mutant && { atPass: [mutant] });
  try {
    await lab.minutes(2);
    await lab.submit(20, 3);
    await lab.minutes(4);
    await lab.submit(16, 3);
    await lab.minutes(15);
    nothingBorrowed(await lab.look(), lab.site.policy);
    await lab.replayed();
  } catch (error) {
    return promiseIn(error);
  }
  return undefined;
}

/** A pass wraps what breaks within it in an error of its own. */
function promiseIn(error: unknown): number {
  if (error instanceof PromiseBroken) return error.number;
  if (error instanceof AggregateError) return promiseIn(error.errors[0]);
  throw error;
}

describe('a watched site', () => {
  it('breaks no promise with the pass as it is', async () => {
    expect(await brokenBy()).toBeUndefined();
  });

  it('breaks promise 1 when more is pushed than is lent', async () => {
    const mutant = faultyPush(({ receiver }) => ({
      receiver: { setTotal: (update) => receiver.setTotal({ ...update, total: update.total + 1 }) },
    }));
    expect(await brokenBy(mutant)).toBe(1);
  });

  it('breaks promise 2 when a provider is told before the controller has confirmed the lower total', async () => {
    const mutant = faultyPass(({ ledger, providers }) => ({
      ledger: changed(ledger, {
        write: async (previous, next) => {
          for (const change of next.lastEntry.changes) {
            if (change.kind !== 'withdraw') continue;
            await providers.get('burst')?.giveBack(change.grant, change.returnId, change.tokens);
          }
          return ledger.write(previous, next);
        },
      }),
    }));
    expect(await brokenBy(mutant)).toBe(2);
  });

  it('breaks promise 3 when a provider is asked under an id that is not recorded', async () => {
    const mutant = faultyPass(({ providers }) => ({
      providers: new Map(
        [...providers].map(([name, provider]) => [
          name,
          changed(provider, { request: (id, resource, tokens) => provider.request(`${id}-again`, resource, tokens) }),
        ]),
      ),
    }));
    expect(await brokenBy(mutant)).toBe(3);
  });

  it('breaks promise 4 when the ledger forgets a grant', async () => {
    const mutant = faultyPass(({ ledger }) => ({
      ledger: changed(ledger, {
        write: (previous, next) => {
          const grants = next.grants.filter(({ state }) => state === 'requested');
          return ledger.write(previous, { ...next, grants });
        },
      }),
    }));
    expect(await brokenBy(mutant)).toBe(4);
  });

  it('breaks promise 5 when the controller accepts again what it had accepted before', async () => {
    const site = smallSite({ returnAfter: '2m', linger: '5m' });
    const controller = new FallibleController({ config: site.controllerConfig, now: start });
    const lab = new Lab(site, { controller });
    await lab.minutes(2);
    await lab.submit(20, 3);
    const higher = controller.state();
    await lab.minutes(7);
    controller.fallBackTo(higher);
    expect(await lab.minutes(2).catch(promiseIn)).toBe(5);
  });

  it('breaks promise 6 when more is recorded to be asked for than may be borrowed', async () => {
    const mutant = faultyPass(({ ledger }) => ({
      ledger: changed(ledger, {
        write: (previous, next) => {
          const grants = next.grants.map((grant) => ({ ...grant, tokens: grant.tokens + 20 }));
          return ledger.write(previous, { ...next, grants });
        },
      }),
    }));
    expect(await brokenBy(mutant)).toBe(6);
  });

  it('breaks promise 7 when something is borrowed by a pass that has not seen the site', async () => {
    const mutant = faultyPass(({ ledger }) => ({
      ledger: changed(ledger, {
        recordPass: ({ observation: _unseen, ...record }) => ledger.recordPass(record),
      }),
    }));
    expect(await brokenBy(mutant)).toBe(7);
  });

  it('breaks promise 8 when no provider ever hears of a return', async () => {
    const mutant = faultyPass(({ providers }) => ({
      providers: new Map(
        [...providers].map(([name, provider]) => [
          name,
          changed(provider, { giveBack: async () => ({ outcome: 'unknown', detail: '' }) }),
        ]),
      ),
    }));
    expect(await brokenBy(mutant)).toBe(8);
  });

  it('breaks promise 9 when what a pass saw is not what is recorded of it', async () => {
    const mutant = faultyPass(({ ledger }) => ({
      ledger: changed(ledger, { recordPass: (record) => ledger.recordPass({ ...record, at: record.at - minute }) }),
    }));
    expect(await brokenBy(mutant)).toBe(9);
  });

  it('breaks promise 10 when a pass takes more rounds than it may', () => {
    const read: PortCall = { method: 'read', arguments: [] };
    const run = (rounds: number) =>
      ({ kind: 'reconcile', calls: Array.from({ length: rounds }, () => read), mostGrants: 0 }) as const;
    const check = bounded(1, 1);
    expect(() => check.ended?.(run(maxRounds), start)).not.toThrow();
    expect(() => check.ended?.(run(maxRounds + 1), start)).toThrow(PromiseBroken);
  });
});

describe('a pass that loses every write to a rival', () => {
  it('ends after its rounds', async () => {
    const lab = new Lab(smallSite(), {
      atPass: [faultyPass(({ ledger }) => ({ ledger: changed(ledger, { write: async () => 'lost' }) }))],
    });
    await lab.minutes(3);
    expect((await lab.look()).ledgers.size).toBe(0);
  });
});
