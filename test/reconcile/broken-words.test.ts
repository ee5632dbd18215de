import { describe, expect, it } from 'vitest';
import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import type { ResourceLedger } from '../../shared/domain/model.ts';
import type { Interception } from '../../shared/simulation/simulated-site.ts';
import { agree, nothingBorrowed } from '../promises/8-it-ends.ts';
import { FallibleController } from './fallible-controller.ts';
import { Lab, minute, start } from './lab.ts';
import { smallSite } from './sites.ts';

describe('a grant that its provider ends before its time', () => {
  it('is found by the next pass, and leaves the total as its tokens fall idle', async () => {
    const lab = new Lab(smallSite());
    await lab.minutes(4);
    await lab.submit(20, 10);
    await lab.minutes(3);
    const [grant] = await lab.grants();
    const id = grant?.id ?? '';
    lab.watch.words.revoked.add(id);
    await lab.world.pools.get('burst')?.giveBack('lab', id, { returnId: 'revoked', tokens: 12 });
    await lab.minutes(1);
    expect(lab.alarms).toContain('grant-lost');
    expect(lab.total()).toBe(20);
    await lab.minutes(10);
    nothingBorrowed(await lab.look(), lab.site.policy);
  });
});

describe('a grant that its provider ends while several jobs use it', () => {
  it('leaves the total as each of them ends', async () => {
    const lab = new Lab(smallSite());
    await lab.minutes(4);
    const job = (tokens: number, runMinutes: number) => ({
      submit: lab.now,
      needs: { hfsshpc: tokens },
      runSeconds: runMinutes * 60,
    });
    await lab.world.submit([job(8, 30), job(4, 4), job(4, 8), job(4, 12)]);
    await lab.minutes(2);
    const [grant] = await lab.grants();
    const id = grant?.id ?? '';
    lab.watch.words.revoked.add(id);
    await lab.world.pools.get('burst')?.giveBack('lab', id, { returnId: 'revoked', tokens: 12 });
    const totals = [];
    for (let passed = 0; passed < 4; passed += 1) {
      totals.push(lab.total());
      await lab.minutes(4);
    }
    expect(totals).toEqual([20, 16, 12, 8]);
    nothingBorrowed(await lab.look(), lab.site.policy);
  });
});

describe('a controller that falls back to an older total', () => {
  it('is found by the next pass and told again, and nothing is given back before it has confirmed', async () => {
    const site = smallSite({ linger: '5m' });
    const controller = new FallibleController({ config: site.controllerConfig, now: start });
    const lab = new Lab(site, { controller });
    await lab.minutes(2);
    await lab.submit(20, 3);
    const higher = controller.state();
    await lab.minutes(15);
    expect(await lab.grants()).toMatchObject([{ return: { phase: 'returning' } }]);

    lab.watch.words.fellBack.add('hfsshpc');
    controller.fallBackTo(higher);
    expect(lab.total()).toBe(20);
    await lab.minutes(2);
    expect(lab.alarms).toContain('controller-fell-back');
    expect(lab.total()).toBe(8);
    expect((await lab.look()).lent).toMatchObject([{ tokens: 12 }]);
    await lab.minutes(7);
    nothingBorrowed(await lab.look(), site.policy);
  });
});

/** A ledger that can be put back to what it was. */
class RestorableLedger implements Interception {
  store = new MemoryLedgerStore();
  reconcile: Interception['reconcile'] = (ports, run) => run({ ...ports, ledger: this.store });
  push: Interception['push'] = (ports, run) => run({ ...ports, ledger: this.store });

  async restore(ledgers: readonly ResourceLedger[]): Promise<void> {
    this.store = new MemoryLedgerStore();
    for (const ledger of ledgers) await this.store.write(undefined, ledger);
  }
}

describe('a ledger that is restored from a backup', () => {
  async function restored(): Promise<{ lab: Lab; backup: RestorableLedger; restore: () => Promise<void> }> {
    const backup = new RestorableLedger();
    const lab = new Lab(smallSite({ returnAfter: '2m' }), { atWorld: [backup] });
    lab.watch.ledger = backup.store;
    await lab.minutes(2);
    await lab.submit(12, 4);
    const { ledgers } = await backup.store.read();
    const restore = async (): Promise<void> => {
      lab.watch.words.missingUntil = lab.now + 2 * minute;
      await backup.restore(ledgers);
      lab.watch.ledger = backup.store;
    };
    return { lab, backup, restore };
  }

  it('finds what has been lent since, and the total never exceeds it', async () => {
    const { lab, restore } = await restored();
    await lab.minutes(1);
    await lab.submit(8, 30);
    expect(lab.total()).toBe(20);
    await lab.minutes(2);
    await restore();
    await lab.minutes(3);
    expect(lab.alarms).toContain('ledger-behind');
    agree(await lab.look(), lab.site.policy);
    expect(lab.total()).toBe(20);
    await lab.minutes(45);
    nothingBorrowed(await lab.look(), lab.site.policy);
  });

  it('finds that what it holds has been given back since', async () => {
    const { lab, restore } = await restored();
    await lab.minutes(12);
    expect(lab.total()).toBe(8);
    await restore();
    await lab.minutes(6);
    expect(lab.total()).toBe(8);
    nothingBorrowed(await lab.look(), lab.site.policy);
  });
});
