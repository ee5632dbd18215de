import { describe, expect, it } from 'vitest';
import { MemoryLedgerStore } from '../../shared/adapters/memory/ledger-store.ts';
import {
  historyCursor,
  historyPage,
  maxTotalSteps,
  totals,
  type HistoryPage,
} from '../../shared/contracts/status-history.ts';
import type { Change, HistoryEntry } from '../../shared/domain/model.ts';
import type { HistoryRange } from '../../shared/ports.ts';
import { TooManySteps } from '../../shared/status/errors.ts';
import { historyEntryAnswer } from '../../shared/status/history.ts';
import { start } from './test-clock.ts';
import { terms, TestSite } from './test-site.ts';

describe('history', () => {
  it('says what changed and why, and what the controller had confirmed by then', async () => {
    const site = new TestSite();
    await site.open();
    await site.borrow('g1', 32);
    const page = historyPage.parse(await site.status.history('hfsshpc', { limit: 100 }));
    expect(
      page.entries.map(({ version, at, changes, confirmed }) => [version, at, changes[0]?.reason, confirmed]),
    ).toEqual([
      [1, '2026-03-02T09:00:01Z', 'first pass', false],
      [2, '2026-03-02T09:00:02Z', undefined, false],
      [3, '2026-03-02T09:00:03Z', 'the controller applies it', true],
      [4, '2026-03-02T09:00:04Z', '32 for a job', true],
    ]);
    expect(page.entries[3]).toEqual({
      version: 4,
      at: '2026-03-02T09:00:04Z',
      by: 'decide',
      pass: 'pass-1',
      epoch: 1,
      changes: [{ kind: 'borrow', grant: 'g1', provider: 'pool', tokens: 32, terms, reason: '32 for a job' }],
      target: { owned: 100, borrowed: 0, total: 100, epoch: 1, sequence: 1 },
      confirmed: true,
    });
    expect(page).not.toHaveProperty('next');
  });

  it('comes in pages that miss nothing and repeat nothing, also while it grows', async () => {
    const site = new TestSite();
    await site.open();
    const versions: number[] = [];
    let page: HistoryPage | undefined;
    do {
      page = await site.status.history('hfsshpc', {
        limit: 2,
        ...(page?.next !== undefined && { cursor: historyCursor.decode(page.next) }),
      });
      versions.push(...page.entries.map(({ version }) => version));
      if (versions.length < 4) await site.borrow(`g${versions.length}`, 8);
    } while (page.next !== undefined);
    expect(versions).toEqual([1, 2, 3, 4]);
  });

  it('comes in shorter pages where entries are large, so that an answer fits into the API', async () => {
    const site = new TestSite();
    await site.open();
    const changes = Array.from({ length: 200 }, (_, index): Change => {
      const grant = `g${index}-`.padEnd(256, 'x');
      return { kind: 'borrow', grant, provider: 'pool', tokens: 8, terms, reason: 'why'.padEnd(300, '…') };
    });
    class LongStore extends MemoryLedgerStore {
      override async *history(_resource: string, { after = 0 }: HistoryRange = {}): AsyncIterable<HistoryEntry> {
        const { lastEntry } = await site.write();
        for (let version = after + 1; version <= 40; version += 1) yield { ...lastEntry, version, changes };
      }
    }
    const { status } = new TestSite(new LongStore());
    const versions: number[] = [];
    let cursor: number | undefined;
    do {
      const page = await status.history('hfsshpc', { limit: 500, ...(cursor !== undefined && { cursor }) });
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(6_000_000);
      versions.push(...page.entries.map(({ version }) => version));
      cursor = page.next === undefined ? undefined : historyCursor.decode(page.next);
    } while (cursor !== undefined);
    expect(versions).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  it('shows the time between from and to, both included', async () => {
    const site = new TestSite();
    await site.open();
    const range = { from: start + 2_000, to: start + 3_000, limit: 100 };
    const { entries } = await site.status.history('hfsshpc', range);
    expect(entries.map(({ version }) => version)).toEqual([2, 3]);
  });

  it('is empty for a resource that was never changed', async () => {
    const { status } = new TestSite();
    expect(await status.history('vcs_runtime@flex1', { limit: 1 })).toEqual({
      resource: 'vcs_runtime@flex1',
      entries: [],
    });
  });

  const because = { reason: 'why' };
  const time = '2026-03-02T09:00:00Z';
  const instants: readonly [Change, object][] = [
    [
      { ...because, kind: 'granted', grant: 'g', tokens: 8, terms, sentAt: start, receivedAt: start },
      { sentAt: time, receivedAt: time },
    ],
    [
      { ...because, kind: 'adopted', grant: 'g', provider: 'pool', tokens: 8, terms, expiresAt: start },
      { expiresAt: time },
    ],
    [{ ...because, kind: 'renewed', grant: 'g', leaseSeconds: 60, sentAt: start }, { sentAt: time }],
    [
      { ...because, kind: 'recalled', grant: 'g', recall: { kind: 'lost', by: start } },
      { recall: { kind: 'lost', by: time } },
    ],
  ];

  it.each(instants)('gives the times in a change as RFC 3339: %o', async (change, expected) => {
    const site = new TestSite();
    await site.open();
    const entry = historyEntryAnswer({ ...(await site.write()).lastEntry, changes: [change] });
    expect(historyPage.shape.entries.element.parse(entry).changes).toEqual([{ ...change, ...expected }]);
  });
});

describe('totals', () => {
  /** 100 from 9:00:03 on, 132 from 9:00:07 on. */
  async function raisedSite(): Promise<TestSite> {
    const site = new TestSite();
    await site.open();
    await site.borrow('g1', 32);
    await site.granted('g1', 32);
    await site.push();
    return site;
  }

  it('are the steps that the controller confirmed', async () => {
    const { status } = await raisedSite();
    expect(totals.parse(await status.totals('hfsshpc', {}))).toEqual({
      resource: 'hfsshpc',
      steps: [
        ['2026-03-02T09:00:03Z', 100, 0, 100],
        ['2026-03-02T09:00:07Z', 100, 32, 132],
      ],
    });
  });

  it('begin with the step that is in force at "from"', async () => {
    const { status } = await raisedSite();
    const first = async (from: number) => (await status.totals('hfsshpc', { from })).steps[0]?.[0];
    expect(await first(start)).toBe('2026-03-02T09:00:03Z');
    expect(await first(start + 6_999)).toBe('2026-03-02T09:00:03Z');
    expect(await first(start + 7_000)).toBe('2026-03-02T09:00:07Z');
  });

  it('end with the last step before "to"', async () => {
    const { status } = await raisedSite();
    expect((await status.totals('hfsshpc', { to: start + 6_999 })).steps).toHaveLength(1);
  });

  it('are refused rather than cut short where one answer cannot hold them', async () => {
    class LongStore extends MemoryLedgerStore {
      override async *history(): AsyncIterable<HistoryEntry> {
        const { lastEntry } = await opened.write();
        for (let borrowed = 0; borrowed <= maxTotalSteps; borrowed += 1) {
          yield { ...lastEntry, at: start + borrowed, target: { ...lastEntry.target, borrowed }, confirmed: true };
        }
      }
    }
    const opened = new TestSite();
    await opened.open();
    const { status } = new TestSite(new LongStore());
    await expect(status.totals('hfsshpc', {})).rejects.toThrow(TooManySteps);
    expect((await status.totals('hfsshpc', { from: start + 1 })).steps).toHaveLength(maxTotalSteps);
  });
});
