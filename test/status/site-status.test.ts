import { describe, expect, it } from 'vitest';
import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import { health, openGrants, providerList, resourceList, siteSummary } from '../../shared/contracts/status.ts';
import { LedgerUnreadable, UnknownResource } from '../../shared/status/errors.ts';
import { start } from './test-clock.ts';
import { terms, TestSite } from './test-site.ts';

const second = 1_000;
const job = { id: 'job', submit: start, needs: { hfsshpc: 130 }, runSeconds: 86_400 };

describe('resources', () => {
  it('show what the ledger wants beside what the controller reports', async () => {
    const site = new TestSite();
    await site.open();
    site.controller.submit([job], site.clock.now());
    await site.borrow('g1', 32);
    const [hfsshpc] = resourceList.parse(await site.status.resources()).resources;
    expect(hfsshpc).toEqual({
      name: 'hfsshpc',
      elastic: true,
      ledger: { owned: 100, borrowed: 0, total: 100, grants: 1, coming: 32, going: 0, confirmed: true, ageSeconds: 0 },
      controller: { total: 100, inUse: 0, waiting: 130, free: 100, ageSeconds: 0 },
      lastReason: '32 for a job',
      lastReasonAt: '2026-03-02T09:00:04Z',
    });
  });

  it('count granted tokens as coming until the controller applies them', async () => {
    const site = new TestSite();
    await site.open();
    await site.borrow('g1', 32);
    await site.granted('g1', 24);
    expect((await site.status.resource('hfsshpc')).ledger).toMatchObject({ total: 124, coming: 24, confirmed: false });
    site.controller.submit([{ ...job, needs: { hfsshpc: 110 } }], site.clock.now());
    await site.push();
    expect(await site.status.resource('hfsshpc')).toMatchObject({
      ledger: { owned: 100, borrowed: 24, total: 124, coming: 0, confirmed: true },
      controller: { total: 124, inUse: 110, waiting: 0, free: 14 },
    });
  });

  it('count withdrawn tokens as going until the provider has them back', async () => {
    const site = new TestSite();
    await site.open();
    await site.borrow('g1', 32);
    await site.granted('g1', 32);
    await site.push();
    await site.withdraw('g1', 8);
    expect((await site.status.resource('hfsshpc')).ledger).toMatchObject({ borrowed: 24, going: 8, confirmed: false });
    await site.push();
    expect((await site.status.resource('hfsshpc')).ledger).toMatchObject({ going: 8, confirmed: true });
    await site.write({ kind: 'returned', grant: 'g1', tokens: 8, reason: 'pool took back 8' });
    expect((await site.status.resource('hfsshpc')).ledger).toMatchObject({ borrowed: 24, going: 0 });
  });

  it('count as free only what the licence server has free too', async () => {
    const site = new TestSite();
    site.controller.submit([{ ...job, needs: { hfsshpc: 60 } }], start);
    site.controller.reportObserved('hfsshpc', { inUse: 70, issued: 100, at: start }, start);
    site.clock.advance(5 * second);
    expect((await site.status.resource('hfsshpc')).controller).toMatchObject({
      inUse: 60,
      observedInUse: 70,
      observedAgeSeconds: 5,
      free: 30,
    });
  });

  it('show what the site file says of those that have no ledger', async () => {
    const { resources } = await new TestSite().status.resources();
    expect(resources).toMatchObject([
      { name: 'hfsshpc', elastic: true, ledger: { owned: 100, borrowed: 0, total: 100 } },
      { name: 'vcs_runtime@flex1', elastic: false, ledger: { owned: 20, total: 20, confirmed: true } },
    ]);
    expect(resources[0]).not.toHaveProperty('lastReason');
  });

  it('are unknown to the API when neither site file nor ledger names them', async () => {
    const { status } = new TestSite();
    for (const read of [
      status.resource('vcs'),
      status.grants('vcs'),
      status.history('vcs', { limit: 1 }),
      status.totals('vcs', {}),
    ]) {
      await expect(read).rejects.toThrow(UnknownResource);
    }
  });
});

describe('while the controller does not answer', () => {
  it('its last figures are shown as stale with their growing age', async () => {
    const site = new TestSite();
    site.controller.submit([{ ...job, needs: { hfsshpc: 60 } }], start);
    await site.status.resources();
    site.controllerAnswers = false;
    site.clock.advance(30 * second);
    const stale = (await site.status.resource('hfsshpc')).controller;
    expect(stale).toEqual({ total: 100, inUse: 60, waiting: 0, free: 40, ageSeconds: 30, stale: true });
    site.clock.advance(30 * second);
    expect((await site.status.resource('hfsshpc')).controller).toMatchObject({ ageSeconds: 60, stale: true });
    expect(site.warnings).toEqual(['looking at the controller failed', 'looking at the controller failed']);
    site.controllerAnswers = true;
    site.clock.advance(second);
    expect((await site.status.resource('hfsshpc')).controller).not.toHaveProperty('stale');
  });

  it('figures that were never known are absent, not zero', async () => {
    const site = new TestSite();
    site.controllerAnswers = false;
    expect(await site.status.resource('hfsshpc')).not.toHaveProperty('controller');
  });

  it('health is degraded and says since when', async () => {
    const site = new TestSite();
    expect(health.parse(await site.status.health())).toMatchObject({ status: 'ok', controller: { heard: true } });
    await site.store.writeUnheardSince(start);
    site.controllerAnswers = false;
    site.clock.advance(60 * second);
    expect(health.parse(await site.status.health())).toEqual({
      status: 'degraded',
      controller: { heard: false, ageSeconds: 60, unheardSince: '2026-03-02T09:00:00Z' },
      unconfirmed: [],
      overdue: [],
    });
  });
});

describe('grants', () => {
  it('are shown in their phases, with what they have cost so far', async () => {
    const site = new TestSite();
    await site.open();
    await site.borrow('g1', 32);
    await site.granted('g1', 32, { leaseSeconds: 7_200 });
    await site.push();
    const by = site.clock.now() + 60 * second;
    await site.write({ kind: 'recalled', grant: 'g1', recall: { kind: 'recalled', by }, reason: 'pool wants it back' });
    await site.withdraw('g1', 8);
    await site.borrow('g2', 16);
    site.clock.advance(1_794 * second);
    const { grants } = openGrants.parse(await site.status.grants('hfsshpc'));
    expect(grants).toEqual([
      {
        id: 'g1',
        provider: 'pool',
        phase: 'withdrawing',
        tokens: 32,
        going: 8,
        requestedAt: '2026-03-02T09:00:04Z',
        holdUntil: '2026-03-02T10:00:04Z',
        expiresAt: '2026-03-02T11:00:04Z',
        recalled: { kind: 'recalled', by: '2026-03-02T09:01:07Z' },
        costPerTokenHour: 0.5,
        costSoFar: 8,
      },
      {
        id: 'g2',
        provider: 'pool',
        phase: 'requested',
        tokens: 16,
        going: 0,
        requestedAt: '2026-03-02T09:00:10Z',
        costPerTokenHour: 0.5,
        costSoFar: 0,
      },
    ]);
  });

  it('that ended with tokens in the total make health degraded', async () => {
    const site = new TestSite();
    await site.open();
    await site.borrow('g1', 32);
    await site.granted('g1', 32, { leaseSeconds: 60 });
    expect(await site.status.health()).toMatchObject({ status: 'ok', unconfirmed: ['hfsshpc'], overdue: [] });
    site.clock.advance(60 * second);
    expect(await site.status.health()).toMatchObject({ status: 'degraded', overdue: ['g1'] });
  });
});

describe('the site', () => {
  it('names its resources and providers', async () => {
    const site = new TestSite();
    expect(siteSummary.parse(await site.status.site())).toEqual({
      site: 'munich',
      resources: [
        { name: 'hfsshpc', elastic: true },
        { name: 'vcs_runtime@flex1', elastic: false },
      ],
      providers: ['pool', 'vendor'],
      controller: { heard: true, ageSeconds: 0 },
    });
  });

  it('shows its providers with their terms, what they have lent, and until when they are left alone', async () => {
    const site = new TestSite();
    const offers = [{ ...terms, resource: 'hfsshpc', maximum: 64 }];
    const description = { provider: 'pool', revision: '7', offers };
    await site.store.writeProvider(undefined, { provider: 'pool', version: 1, description, describedAt: start });
    await site.open();
    await site.borrow('g1', 32);
    await site.granted('g1', 16);
    await site.borrow('g2', 8);
    expect(providerList.parse(await site.status.providers())).toEqual({
      providers: [
        {
          name: 'pool',
          description: { revision: '7', offers, ageSeconds: 6 },
          resources: [{ name: 'hfsshpc', requested: 8, lent: 16, notAskedBefore: '2026-03-02T09:01:05Z' }],
        },
        { name: 'vendor', resources: [{ name: 'hfsshpc', requested: 0, lent: 0 }] },
      ],
      ageSeconds: 0,
    });
  });
});

describe('readers', () => {
  it('share one look at the controller and one read of the ledger', async () => {
    class CountingStore extends MemoryLedgerStore {
      reads = 0;
      override read() {
        this.reads += 1;
        return super.read();
      }
    }
    const store = new CountingStore();
    const site = new TestSite(store);
    await Promise.all([site.status.resources(), site.status.health(), site.status.grants('hfsshpc')]);
    await site.status.site();
    expect({ looks: site.looks, reads: store.reads }).toEqual({ looks: 1, reads: 1 });
  });

  it('are told when the ledger cannot be read', async () => {
    class BrokenStore extends MemoryLedgerStore {
      override async read(): Promise<never> {
        throw new Error('no connection');
      }
    }
    const site = new TestSite(new BrokenStore());
    await expect(site.status.health()).rejects.toThrow(LedgerUnreadable);
    expect(site.warnings).toEqual(['reading the ledger failed']);
  });
});
