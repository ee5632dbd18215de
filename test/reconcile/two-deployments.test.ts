import { describe, expect, it } from 'vitest';
import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import { pushTotals, type PushPorts } from '../../shared/push-totals.ts';
import { reconcile, type ReconcilePorts } from '../../shared/reconcile.ts';
import { faultless } from '../../shared/simulation/faults.ts';
import { InProcessController } from '../../shared/simulation/in-process-controller.ts';
import type { Interception } from '../../shared/simulation/simulated-site.ts';
import { randomSource } from '../../shared/traces/random.ts';
import { agree, nothingBorrowed } from '../promises/8-it-ends.ts';
import { Lab, minute } from './lab.ts';
import { smallSite } from './sites.ts';

describe('two provisioners on one ledger', () => {
  it('keep every promise, however their calls fall in between each other', async () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const random = randomSource(seed);
      const lab = new Lab(smallSite({ returnAfter: '2m', maxStep: 8 }, { block: 2 }), {
        dealer: { ...faultless, wake: () => 'twice', turns: () => Math.floor(random() * 12) },
      });
      await lab.minutes(2);
      await lab.submit(20, 4);
      await lab.submit(6, 2);
      await lab.minutes(5);
      agree(await lab.look(), lab.site.policy);
      await lab.minutes(10);
      nothingBorrowed(await lab.look(), lab.site.policy);
      await lab.replayed();
    }
  });
});

/** A second deployment of the same site, with a ledger of its own, beside a lab's first. */
class SecondDeployment implements Interception {
  readonly ledger = new MemoryLedgerStore();
  #reconcile: ReconcilePorts | undefined;
  #push: PushPorts | undefined;

  reconcile(ports: ReconcilePorts, run: (ports: ReconcilePorts) => Promise<unknown>): Promise<unknown> {
    this.#reconcile = ports;
    return run(ports);
  }

  push(ports: PushPorts, run: (ports: PushPorts) => Promise<unknown>): Promise<unknown> {
    this.#push = ports;
    return run(ports);
  }

  /** A pass and a push of the second deployment. */
  async tick({ world, site, watch }: Lab): Promise<unknown> {
    if (this.#reconcile === undefined || this.#push === undefined) throw new Error('the first has not run yet');
    const { clock, controller } = world;
    const { ledger } = this;
    const port = new InProcessController({ controller, clock, holder: 'second', ttlSeconds: 240 });
    const ports = { ...this.#reconcile, ledger, controller: port, listedAt: new Map<string, number>() };
    const result = await watch.reconcile(ports, (watched) => reconcile(watched, site));
    await watch.push({ ...this.#push, ledger }, pushTotals);
    return result;
  }
}

describe('a second deployment with a ledger of its own', () => {
  /** The first has borrowed 12, and recorded 4 more that it has not pushed, when it falls silent. */
  async function silentFirst(): Promise<{ lab: Lab; second: SecondDeployment }> {
    const second = new SecondDeployment();
    const lab = new Lab(smallSite(), { atWorld: [second] });
    await lab.minutes(2);
    await lab.submit(20, 120);
    lab.faults.dealer = { ...faultless, call: ({ method }) => (method === 'setTotal' ? 'lost' : 'answered') };
    await lab.submit(4, 120);
    lab.faults.dealer = { ...faultless, wake: () => 'never' };
    return { lab, second };
  }

  it('does nothing while the first holds the lease', async () => {
    const { lab, second } = await silentFirst();
    await lab.minutes(2);
    expect(await second.tick(lab)).toBe('idle');
  });

  it('takes over what the first had borrowed once the lease is free, and the first can change nothing more', async () => {
    const { lab, second } = await silentFirst();
    await lab.minutes(6);
    lab.watch.ledger = second.ledger;
    lab.watch.words.missingUntil = lab.now + 1;
    await second.tick(lab);
    await lab.minutes(1);
    expect(lab.alarms).toContain('ledger-behind');
    expect(lab.total()).toBe(24);
    agree(await lab.look(), lab.site.policy);

    lab.faults.dealer = faultless;
    lab.watch.words.missingUntil = lab.now + 3 * minute;
    const before = await second.ledger.read();
    await lab.minutes(2);
    expect(await second.ledger.read()).toEqual(before);
    expect(lab.total()).toBe(24);
  });
});
